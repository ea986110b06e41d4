#if VLC
import MediaTransport
import Foundation
import Playback

// Texts that lie beside the medium.
extension VLCPlayback {
    func prepare(_ subtitle: ExternalSubtitle, id: Int) {
        if let file = subtitles[id] { return add(file, id: id) }
        guard preparing.insert(id).inserted else { return }
        let options = requestOptions
        Task { [weak self] in
            do throws(SubtitleFile.Unusable) {
                let file = try await SubtitleFile.prepare(subtitle, by: options)
                self?.queue.async { [weak self] in self?.add(file, id: id) }
            } catch {
                self?.queue.async { [weak self] in
                    self?.preparing.remove(id)
                    self?.perform { machine, _ in machine.subtitlesUnusable(id, error.notice) }
                }
            }
        }
    }

    func add(_ file: SubtitleFile, id: Int) {
        preparing.remove(id)
        subtitles[id] = file
        perform { machine, _ in
            if machine.subtitlesPrepared(id) { deck?.addSubtitles(file.url) }
            return []
        }
    }
}
#endif
