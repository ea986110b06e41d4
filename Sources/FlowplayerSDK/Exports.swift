@_exported import Playback

#if VLC
@_exported import VLCBackend
#endif
