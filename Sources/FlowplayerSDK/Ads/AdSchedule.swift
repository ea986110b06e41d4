/// When which advertisements are shown with a medium: an `AdScheduleWaterfall` or an `AdScheduleRemote`.
public protocol AdSchedule: Sendable {}
