import Playback

extension BackendContract {
    static let trackCases = [
        Case(
            "lists-sounds-and-texts", "Lists the audio and subtitle tracks of an item, each under its own number.",
            .feature(.trackSelection), .tracks
        ) { context in
            let tracks = try await context.opened(
                context.open(context.fixtures.tracks ?? context.fixtures.clip, plays: false)
            )
            .tracks
            try context.require(tracks.audio.count == 2, "It lists \(tracks.audio.count) audio tracks, not two.")
            try context.require(
                tracks.subtitles.count == 2, "It lists \(tracks.subtitles.count) subtitle tracks, not two.")
            try context.require(Set(tracks.audio.map(\.id)).count == 2, "Two audio tracks have the same number.")
            try context.require(Set(tracks.subtitles.map(\.id)).count == 2, "Two subtitle tracks have the same number.")
            try context.require(tracks.subtitles.allSatisfy { $0.id >= 0 }, "A text has a negative number.")
        },
        Case(
            "changes-the-sound", "Selects another audio track and keeps playing.", .feature(.trackSelection), .tracks
        ) { context in
            let medium = context.open(context.fixtures.tracks ?? context.fixtures.clip)
            let media = try await context.opened(medium)
            try await context.playing(medium)
            guard let other = media.tracks.audio.first(where: { $0.id != media.audio })?.id else {
                throw context.violation("It lists no other audio track.")
            }
            let mark = context.now
            context.send(.selectAudio(medium, id: other))
            try await context.ended(medium)
            let heard = context.events(of: medium, after: mark).compactMap {
                if case .audioSelected(let id) = $0.body { id ?? -1 } else { nil }
            }
            try context.require(
                heard.allSatisfy { $0 == other }, "It reported another audio track than the selected one.")
        },
        Case(
            "changes-the-text", "Shows a subtitle track and none again, and keeps playing.", .feature(.trackSelection),
            .tracks
        ) { context in
            let medium = context.open(context.fixtures.tracks ?? context.fixtures.clip)
            let media = try await context.opened(medium)
            try await context.playing(medium)
            for choice in [media.tracks.subtitles.last?.id, media.tracks.subtitles.first?.id, nil] {
                let mark = context.now
                context.send(.selectSubtitle(medium, id: choice))
                try await context.pass(0.3)
                let shown = context.events(of: medium, after: mark).compactMap { event -> Int?? in
                    if case .subtitleSelected(let id) = event.body { .some(id) } else { nil }
                }
                try context.require(
                    shown.last.map { $0 == choice } ?? true, "It reported another subtitle track than the selected one."
                )
            }
            try await context.ended(medium)
        },
        Case(
            "lists-texts-beside-the-medium", "Lists external subtitles under their name, and shows them.",
            .feature(.externalSubtitles), .medium(\.subtitle, "a file in SRT or WebVTT")
        ) { context in
            guard let file = context.fixtures.subtitle else { return }
            let beside = ExternalSubtitle(url: file, name: "Beside", lang: "de")
            let clip = context.open(context.fixtures.clip, subtitles: [beside])
            let listed = try await context.opened(clip).tracks.subtitles
            try context.require(
                listed.map(\.name) == ["Beside"] && listed.map(\.lang) == ["de"],
                "It lists \(listed.map(\.name)) instead of it.")
            try await context.playing(clip)
            let mark = context.now
            context.send(.selectSubtitle(clip, id: listed.first?.id))
            try await context.ended(clip)
            let complaint = context.events(of: clip, after: mark).first {
                if case .notice = $0.body { true } else { false }
            }
            try context.require(complaint == nil, "It reported \(complaint?.body.text ?? "").")
        },
        Case(
            "tells-what-a-medium-says-of-itself", "Reports the title of an item.", .feature(.metadata), .tracks,
            .medium(\.title, "the title of the file with tracks")
        ) { context in
            let title = context.fixtures.title
            let medium = context.open(context.fixtures.tracks ?? context.fixtures.clip)
            try await context.event("its title", of: medium) {
                if case .metadataChanged(let metadata) = $0 { metadata.title == title } else { false }
            }
        },
    ]
}

extension BackendContract.Requirement {
    fileprivate static let tracks = medium(\.tracks, "a file with two audio and two subtitle tracks")
}
