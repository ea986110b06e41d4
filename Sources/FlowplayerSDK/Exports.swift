// The names that hosts see. Each import exports one name, with all its members. `import Playback` gives the others to
// engines, plugins and views. `Scripts/check-api` counts the types.

@_exported import enum Images.ImageError
@_exported import struct Playback.AdBreak
@_exported import enum Playback.AdError
@_exported import enum Playback.AdState
@_exported import enum Playback.AdType
@_exported import class Playback.ApplicationLifecycle
@_exported import protocol Playback.ApplicationLifecycleDelegate
@_exported import struct Playback.AudioRole
@_exported import class Playback.AudioSession
@_exported import struct Playback.AudioTrack
@_exported import struct Playback.BackgroundPolicy
@_exported import struct Playback.BackgroundReason
@_exported import enum Playback.DAIStateStream
@_exported import struct Playback.DVRWindow
@_exported import struct Playback.ExternalSubtitle
@_exported import struct Playback.IMAMetadata
@_exported import struct Playback.ItemTransition
@_exported import struct Playback.MediaMetadata
@_exported import class Playback.MediaPlayer
@_exported import struct Playback.MediaSecurityPolicy
@_exported import struct Playback.MediaTime
@_exported import protocol Playback.MediaURLProvider
@_exported import class Playback.ObservationToken
@_exported import enum Playback.PlaybackBufferState
@_exported import struct Playback.PlaybackError
@_exported import enum Playback.PlaybackSeekState
@_exported import enum Playback.PlaybackState
@_exported import enum Playback.PlaybackType
@_exported import enum Playback.PlayerEvent
@_exported import struct Playback.PlayerItem
@_exported import class Playback.PlayerLayer
@_exported import enum Playback.PlayerQuality
@_exported import struct Playback.PlayerSnapshot
@_exported import enum Playback.PlayerState
@_exported import typealias Playback.QueuePlayer
@_exported import struct Playback.RetryPolicy
@_exported import protocol Playback.SceneLifecycleDelegate
@_exported import enum Playback.SeekTolerance
@_exported import struct Playback.SubtitleTrack
@_exported import struct Playback.VideoFrame
@_exported import protocol Playback.VideoFrameSink
@_exported import enum Playback.VideoOutput
@_exported import struct Playback.VideoQuality

// The default engine
#if VLC
@_exported import typealias VLCBackend.LibVLCBackend
#endif
