#if !canImport(AVFoundation)
/// The player below a view, under the name that hosts of other platforms know.
public typealias AVPlayer = MediaPlayer
/// What a player plays, under the name that hosts of other platforms know.
public typealias AVPlayerItem = PlayerItem
/// A player of several items, under the name that hosts of other platforms know.
public typealias AVQueuePlayer = QueuePlayer
/// Where a player without a view shows its picture, under the name that hosts of other platforms know.
public typealias AVPlayerLayer = PlayerLayer
/// How a program's sound stands to that of others, under the name that hosts of other platforms know.
public typealias AVAudioSession = AudioSession
/// Under it `AudioSession.interruptionNotification` says whether an interruption begins or ends.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let AVAudioSessionInterruptionTypeKey = AudioSession.interruptionTypeKey
/// Under it `AudioSession.interruptionNotification` says what comes after an interruption.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let AVAudioSessionInterruptionOptionKey = AudioSession.interruptionOptionKey
/// Under it `AudioSession.routeChangeNotification` says why sound goes elsewhere.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let AVAudioSessionRouteChangeReasonKey = AudioSession.routeChangeReasonKey
/// A time in a medium, under the name that hosts of other platforms know.
public typealias CMTime = MediaTime

/// A time in seconds; not a number for a time that is none.
// swift-format-ignore: AlwaysUseLowerCamelCase
public func CMTimeGetSeconds(_ time: CMTime) -> Double { time.seconds }
#endif
