/// The output of `flowplay --help`: the most used options, on one screen.
enum ShortHelp {
    static let text = """
        flowplay plays media files and streams in order.

        usage: flowplay [options] <file-or-URL>...
               flowplay probe <file-or-URL>...    print what files and streams contain
               flowplay check-log <file>...       check event logs

          flowplay clip.mp4                       play a file
          flowplay --shuffle --repeat all album   repeat a folder in random order
          flowplay https://host/live.m3u8         play a stream
          flowplay --view terminal film.mp4       show the video in the terminal

          --start <position>   start at 90, 1:30, 50%, or -10: 10 s before the end
          --volume <0-100>     volume in percent
          --rate <0.25-4>      playback rate
          --repeat <mode>      all, one, or off
          --shuffle            random order
          --subtitles <file>   add SRT or WebVTT subtitles
          --no-video           disable video
          --resume-position    start where the item was left
          --background <do>    pause, audio, video, or stop in the background
          --json               print events as JSON Lines

        While it plays, ? shows the keys.
        All options: flowplay --help-all, or man flowplay.

        """
}
