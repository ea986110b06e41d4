import Foundation

/// The rules of a schedule: when a break plays.
///
/// Pure: it has no clock, no player and no network. Every state takes every input.
///
/// | state | meaning | left by |
/// |---|---|---|
/// | `planning` | the schedule is loaded; the item waits | `planned` |
/// | `beforeStart` | the breaks at the start wait until the viewer wants to play | `wanted` |
/// | `content` | the item plays, or waits for the viewer | a break whose turn it is |
/// | `inBreak` | a break plays; the item waits | `breakEnded` |
/// | `over` | the item and the breaks after it have ended | `restarted` |
///
/// A break plays once, and a repeated one once at each of its positions. After a seek over several breaks, the last of them
/// plays. The others may still play when the viewer comes to them. A seek during a break changes only where the item continues. Breaks
/// at the same position play one after another.
///
/// The positions of a live stream count from the one at which the viewer joined it.
struct AdScheduleMachine: Codable, Hashable, Sendable {
    /// One break at one of its positions.
    struct Slot: Codable, Hashable, Sendable {
        /// The index of the plan.
        let plan: Int
        /// 0, and a higher number for each repetition.
        let repetition: Int
    }

    enum State: Codable, Hashable, Sendable {
        case planning
        case beforeStart
        case content
        case inBreak(Slot, Place)
        case over
    }

    enum Place: Codable, Hashable, Sendable { case start, middle, end }

    enum Input: Codable, Hashable, Sendable {
        /// The schedule is known. Empty if it could not be loaded.
        case planned([AdBreakPlan])
        /// The item is wanted to play.
        case wanted
        /// The duration of the item in seconds, `nil` if unknown; `true` for a live stream.
        case item(duration: Double?, isLive: Bool)
        /// The position of the item while it plays, in seconds.
        case position(Double)
        /// A seek to a position, in seconds.
        case seek(Double)
        /// The item has ended.
        case ended
        /// The break has ended, or has failed.
        case breakEnded
        /// The item has failed. A break that plays ends with it.
        case failed
        /// The item is played again, from a position in seconds.
        case restarted(at: Double)
        /// A break that was prepared is closed, because the player of the advertisements plays another one.
        case closed(Slot)
    }

    enum Effect: Codable, Hashable, Sendable {
        /// Load the advertisements of a break that is near.
        case prepare(Slot)
        /// Hold the item and play the break.
        case begin(Slot)
        /// Let the item play, or end.
        case releaseContent
    }

    /// How long before the end the last position of an item comes, in seconds. In the background, there is one a second.
    static let lastPosition = 1.0
    /// How long before a break it is prepared, in seconds.
    static let lead = 8.0
    /// Breaks that are so close together, in seconds, are at the same position.
    static let samePosition = 0.001
    /// The largest number of repetitions of a break.
    static let mostRepetitions = 1000

    private(set) var state = State.planning
    private(set) var plans: [AdBreakPlan] = []
    /// The breaks that were played.
    private(set) var seen: Set<Slot> = []
    private(set) var prepared: Set<Slot> = []
    private(set) var position: Double
    private(set) var duration: Double?
    private var isLive = false
    /// The first position of a live stream, in seconds.
    private var joined: Double?
    private var isWanted = false

    /// - Parameter startPosition: the position at which the item starts, in seconds. Breaks before it do not play, except the one
    ///   at the start.
    init(startPosition: Double = 0) { position = startPosition }

    mutating func handle(_ input: Input) -> [Effect] {
        switch (input, state) {
        case (.planned(let plans), .planning):
            self.plans = Array(plans.prefix(AdBreakPlan.mostBreaks))
            return start()
        case (.wanted, _):
            isWanted = true
            return state == .beforeStart ? start() : []
        case (.item(let duration, let isLive), _):
            (self.duration, self.isLive) = (duration, isLive)
            return []
        case (.position(let new), .content), (.seek(let new), .content): return move(to: new)
        case (.seek(let target), .planning), (.seek(let target), .beforeStart), (.seek(let target), .inBreak):
            position = target
            // The item continues there after the break.
            if case .inBreak(let slot, .end) = state { state = .inBreak(slot, .middle) }
            return []
        case (.ended, .content): return end()
        case (.breakEnded, .inBreak(let slot, let place)): return breakEnded(slot, place)
        case (.failed, _):
            // The viewer has to try again, and joins a live stream again.
            (isWanted, joined) = (false, nil)
            guard case .inBreak(_, let place) = state else { return [] }
            state = place == .start ? .beforeStart : .content
            return place == .start ? [] : [.releaseContent]
        case (.restarted(let start), .over):
            (position, joined, state) = (start, nil, .content)
            return []
        case (.closed(let slot), _):
            prepared.remove(slot)
            return []
        case (.planned, _), (.position, _), (.seek, _), (.ended, _), (.breakEnded, _), (.restarted, _): return []
        }
    }

    /// Plays the breaks at the start one after another, as soon as the viewer wants to play, then releases the item.
    private mutating func start() -> [Effect] {
        state = .beforeStart
        guard let slot = firstSlot(where: \.isAtStart) else {
            state = .content
            return [.releaseContent] + prepareNext()
        }
        return isWanted ? begin(slot, .start) : prepare(slot)
    }

    /// Plays the breaks after the item one after another.
    private mutating func end() -> [Effect] {
        if let slot = firstSlotAtEnd { return begin(slot, .end) }
        state = .over
        return [.releaseContent]
    }

    private mutating func begin(_ slot: Slot, _ place: Place) -> [Effect] {
        state = .inBreak(slot, place)
        seen.insert(slot)
        return prepare(slot) + [.begin(slot)] + (next(after: slot, place).map { prepare($0) } ?? [])
    }

    /// Plays another break at the same position, or else releases the item.
    private mutating func breakEnded(_ slot: Slot, _ place: Place) -> [Effect] {
        switch place {
        case .start: return start()
        case .end: return end()
        case .middle:
            if let next = next(after: slot, .middle) { return begin(next, .middle) }
            state = .content
            return [.releaseContent] + prepareNext()
        }
    }

    /// The break that follows another one at the same position.
    private func next(after slot: Slot, _ place: Place) -> Slot? {
        switch place {
        case .start: return firstSlot(where: \.isAtStart)
        case .end: return firstSlotAtEnd
        case .middle:
            guard let time = time(of: slot) else { return nil }
            return slots(after: time - Self.samePosition, through: time + Self.samePosition).first?.slot
        }
    }

    private mutating func prepare(_ slot: Slot) -> [Effect] {
        prepared.insert(slot).inserted ? [.prepare(slot)] : []
    }

    private mutating func move(to new: Double) -> [Effect] {
        if isLive, joined == nil { (joined, position) = (new, new) }
        let due = slots(after: position, through: new)
        position = new
        guard let last = due.last?.time else { return prepareNext() }
        return due.first { $0.time >= last - Self.samePosition }.map { begin($0.slot, .middle) } ?? []
    }

    /// Prepares the break that comes within the next seconds. Only one, because the player of the advertisements opens one at a time.
    private mutating func prepareNext() -> [Effect] {
        if let next = slots(after: position, through: position + Self.lead).first {
            return prepare(next.slot)
        }
        guard let duration, !isLive, position >= duration - Self.lead, let last = firstSlotAtEnd else { return [] }
        return prepare(last)
    }

    private func firstSlot(where isPlace: (AdBreakPlan) -> Bool) -> Slot? {
        plans.indices.filter { isPlace(plans[$0]) }.map { Slot(plan: $0, repetition: 0) }.first { !seen.contains($0) }
    }

    /// The break after the item that comes next. One so near to the end that no position comes after it is such a break too.
    private var firstSlotAtEnd: Slot? {
        if isLive { return nil }
        let missed = duration.flatMap { slots(after: max(position, $0 - Self.lastPosition), through: $0).first }
        return missed?.slot ?? firstSlot(where: \.isAtEnd)
    }

    var isInBreak: Bool { if case .inBreak = state { true } else { false } }

    /// `true` if a break follows the end of the item.
    var playsBreakAtEnd: Bool { firstSlotAtEnd != nil }

    /// The breaks in a part of the item that were not played, by their positions.
    private func slots(after start: Double, through end: Double) -> [(time: Double, slot: Slot)] {
        guard end > start else { return [] }
        var found: [(time: Double, slot: Slot)] = []
        for (index, plan) in plans.enumerated() {
            guard case .time(let offset) = plan.position, let first = time(of: offset) else { continue }
            guard let interval = plan.repeatsAfter else {
                if start < first, first <= end { found.append((first, Slot(plan: index, repetition: 0))) }
                continue
            }
            // Only the last repetitions can be due.
            let lowest = max(0, ((start - first) / interval).rounded(.down))
            let highest = min(((end - first) / interval).rounded(.down), Double(Self.mostRepetitions))
            guard highest >= lowest, highest.isFinite else { continue }
            for number in Int(max(lowest, highest - 1))...Int(highest) {
                let time = first + Double(number) * interval
                if start < time, time <= end { found.append((time, Slot(plan: index, repetition: number))) }
            }
        }
        return found.filter { !seen.contains($0.slot) }.sorted { ($0.time, $0.slot.plan) < ($1.time, $1.slot.plan) }
    }

    private func time(of slot: Slot) -> Double? {
        guard case .time(let offset) = plans[slot.plan].position, let first = time(of: offset) else { return nil }
        return first + Double(slot.repetition) * (plans[slot.plan].repeatsAfter ?? 0)
    }

    /// In a live stream, only positions in seconds have a meaning.
    private func time(of offset: VASTOffset) -> Double? {
        guard isLive else { return offset.seconds(of: duration) }
        guard case .seconds(let seconds) = offset else { return nil }
        return joined.map { $0 + seconds }
    }

    /// The positions of the breaks in the item, in seconds, for the seek bar. Repetitions end with the item.
    var markers: [Double] {
        var times: [Double] = []
        for plan in plans {
            guard case .time(let offset) = plan.position, let first = time(of: offset) else { continue }
            let last = plan.repeatsAfter == nil ? first : duration ?? first
            var time = first
            while time <= last, times.count < Self.mostRepetitions {
                if time > 0 { times.append(time) }
                time += plan.repeatsAfter ?? .infinity
            }
        }
        return times.sorted()
    }
}
