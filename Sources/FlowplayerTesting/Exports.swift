// Tests make items, tracks and backends, so they see all of the player.
@_exported import Playback
