#if !canImport(AVFoundation)
/// The AVFoundation name of `MediaPlayer`.
public typealias AVPlayer = MediaPlayer
/// The AVFoundation name of `PlayerItem`.
public typealias AVPlayerItem = PlayerItem
/// The AVFoundation name of `QueuePlayer`.
public typealias AVQueuePlayer = QueuePlayer
/// The AVFoundation name of `PlayerLayer`.
public typealias AVPlayerLayer = PlayerLayer
/// The AVFoundation name of `PlayerLayer.VideoGravity`.
public typealias AVLayerVideoGravity = PlayerLayer.VideoGravity
/// The AVFoundation name of `AudioSession`.
public typealias AVAudioSession = AudioSession
/// The `userInfo` key of `AudioSession.interruptionNotification` for the beginning or end of an interruption.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let AVAudioSessionInterruptionTypeKey = AudioSession.interruptionTypeKey
/// The `userInfo` key of `AudioSession.interruptionNotification` for the options at the end of an interruption.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let AVAudioSessionInterruptionOptionKey = AudioSession.interruptionOptionKey
/// The `userInfo` key of `AudioSession.routeChangeNotification` for the reason of the change.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let AVAudioSessionRouteChangeReasonKey = AudioSession.routeChangeReasonKey
#endif
