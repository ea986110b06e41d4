#if VLC
import Foundation
import MediaTransport
import Playback

// Subtitle files.
extension VLCPlayback {
    func prepare(_ subtitle: ExternalSubtitle, id: Int) {
        if let file = subtitles[id] { return add(file, id: id) }
        guard pendingSubtitles.insert(id).inserted else { return }
        let options = requestOptions
        Task { [weak engine, generation] in
            do throws(SubtitleFile.Unusable) {
                let file = try await SubtitleFile.prepare(subtitle, by: options)
                engine?.perform(on: generation) { $0.add(file, id: id) }
            } catch {
                engine?.perform(on: generation) { playback in
                    playback.pendingSubtitles.remove(id)
                    playback.perform { machine, _ in machine.subtitlesUnusable(id, error.notice) }
                }
            }
        }
    }

    private func add(_ file: SubtitleFile, id: Int) {
        pendingSubtitles.remove(id)
        subtitles[id] = file
        perform { machine, _ in
            if machine.subtitlesPrepared(id) { player?.addSubtitles(file.url) }
            return []
        }
    }
}
#endif
