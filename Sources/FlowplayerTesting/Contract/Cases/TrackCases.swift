import Playback

extension BackendContract {
    static let trackCases = [
        Case(
            "lists-audio-and-subtitles", "Lists the audio and subtitle tracks of an item, each under its own number.",
            .feature(.trackSelection), .tracks
        ) { context in
            let tracks = try await context.opened(context.open(context.fixtures.tracks, plays: false)).tracks
            for (kind, ids) in [("audio", tracks.audio.map(\.id)), ("subtitle", tracks.subtitles.map(\.id))] {
                try context.require(ids.count == 2, "It lists \(ids.count) \(kind) tracks, not two.")
                try context.require(Set(ids).count == 2, "Two \(kind) tracks have the same number.")
            }
            try context.require(tracks.subtitles.allSatisfy { $0.id >= 0 }, "A subtitle track has a negative number.")
        },
        Case(
            "changes-the-audio-track", "Selects another audio track and keeps playing.", .feature(.trackSelection),
            .tracks
        ) { context in
            let item = try await context.play(context.fixtures.tracks)
            let media = try await context.opened(item)
            guard let other = media.tracks.audio.first(where: { $0.id != media.audio })?.id else {
                throw context.violation("It lists no other audio track.")
            }
            let mark = context.now
            context.send(.selectAudio(item, id: other))
            try await context.event("ended", of: item)
            let selections = context.events(of: item, after: mark).map(\.body).filter { $0.name == "audioSelected" }
            try context.require(
                selections.allSatisfy { $0 == .audioSelected(id: other) },
                "It reported another audio track than the selected one.")
        },
        Case(
            "changes-the-subtitle-track", "Shows a subtitle track and none again, and keeps playing.",
            .feature(.trackSelection),
            .tracks
        ) { context in
            let item = try await context.play(context.fixtures.tracks)
            let subtitles = try await context.opened(item).tracks.subtitles
            for choice in [subtitles.last?.id, subtitles.first?.id, nil] {
                let mark = context.now
                context.send(.selectSubtitle(item, id: choice))
                try await context.pass(0.3)
                let selection = context.events(of: item, after: mark).map(\.body).last { $0.name == "subtitleSelected" }
                try context.require(
                    selection == nil || selection == .subtitleSelected(id: choice),
                    "It reported another subtitle track than the selected one.")
            }
            try await context.event("ended", of: item)
        },
        Case(
            "lists-external-subtitles", "Lists external subtitles under their name, and shows them.",
            .feature(.externalSubtitles), .file(\.subtitle, "a file in SRT or WebVTT")
        ) { context in
            guard let file = context.fixtures.subtitle else { return }
            let clip = context.open(subtitles: [ExternalSubtitle(url: file, name: "Beside", lang: "de")])
            let listed = try await context.opened(clip).tracks.subtitles
            try context.require(
                listed.map(\.name) == ["Beside"] && listed.map(\.lang) == ["de"],
                "It lists \(listed.map(\.name)) instead of it.")
            try await context.event("playing", of: clip)
            let mark = context.now
            context.send(.selectSubtitle(clip, id: listed.first?.id))
            try await context.event("ended", of: clip)
            try context.requireNone(of: ["notice"], for: clip, after: mark)
        },
        Case(
            "reports-metadata", "Reports the title of an item.", .feature(.metadata), .tracks,
            .file(\.title, "the title of the file with tracks")
        ) { context in
            let title = context.fixtures.title
            try await context.event("its title", of: context.open(context.fixtures.tracks)) {
                if case .metadataChanged(let metadata) = $0 { metadata.title == title } else { false }
            }
        },
    ]
}

extension BackendContract.Requirement {
    fileprivate static let tracks = file(\.tracks, "a file with two audio and two subtitle tracks")
}
