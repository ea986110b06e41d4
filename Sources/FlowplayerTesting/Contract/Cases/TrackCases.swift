import Playback

extension BackendContract {
    static let trackCases = [
        Case(
            "lists-sounds-and-texts", "Lists the sounds and texts of a medium, each under a number of its own.",
            .feature(.trackSelection), .tracks
        ) { trial in
            let tracks = try await trial.opened(trial.open(trial.fixtures.tracks ?? trial.fixtures.clip, plays: false))
                .tracks
            try trial.require(tracks.audio.count == 2, "It lists \(tracks.audio.count) sounds, not two.")
            try trial.require(tracks.subtitles.count == 2, "It lists \(tracks.subtitles.count) texts, not two.")
            try trial.require(Set(tracks.audio.map(\.id)).count == 2, "Two sounds have the same number.")
            try trial.require(Set(tracks.subtitles.map(\.id)).count == 2, "Two texts have the same number.")
            try trial.require(tracks.subtitles.allSatisfy { $0.id >= 0 }, "A text has a negative number.")
        },
        Case(
            "changes-the-sound", "Lets another sound be heard and plays on.", .feature(.trackSelection), .tracks
        ) { trial in
            let medium = trial.open(trial.fixtures.tracks ?? trial.fixtures.clip)
            let media = try await trial.opened(medium)
            try await trial.playing(medium)
            guard let other = media.tracks.audio.first(where: { $0.id != media.audio })?.id else {
                throw trial.violation("It lists no other sound.")
            }
            let mark = trial.now
            trial.send(.selectAudio(medium, id: other))
            try await trial.ended(medium)
            let heard = trial.events(of: medium, after: mark).compactMap {
                if case .audioSelected(let id) = $0.body { id ?? -1 } else { nil }
            }
            try trial.require(
                heard.allSatisfy { $0 == other }, "It told that another sound is heard than was asked for.")
        },
        Case(
            "changes-the-text", "Shows a text and none again, and plays on.", .feature(.trackSelection), .tracks
        ) { trial in
            let medium = trial.open(trial.fixtures.tracks ?? trial.fixtures.clip)
            let media = try await trial.opened(medium)
            try await trial.playing(medium)
            for choice in [media.tracks.subtitles.last?.id, media.tracks.subtitles.first?.id, nil] {
                let mark = trial.now
                trial.send(.selectSubtitle(medium, id: choice))
                try await trial.pass(0.3)
                let shown = trial.events(of: medium, after: mark).compactMap { event -> Int?? in
                    if case .subtitleSelected(let id) = event.body { .some(id) } else { nil }
                }
                try trial.require(
                    shown.last.map { $0 == choice } ?? true, "It told that another text is shown than was asked for.")
            }
            try await trial.ended(medium)
        },
        Case(
            "lists-texts-beside-the-medium", "Lists a text from a file of its own under its name, and shows it.",
            .feature(.externalSubtitles), .medium(\.subtitle, "a file in SRT or WebVTT")
        ) { trial in
            guard let file = trial.fixtures.subtitle else { return }
            let beside = ExternalSubtitle(url: file, name: "Beside", lang: "de")
            let clip = trial.open(trial.fixtures.clip, subtitles: [beside])
            let listed = try await trial.opened(clip).tracks.subtitles
            try trial.require(
                listed.map(\.name) == ["Beside"] && listed.map(\.lang) == ["de"],
                "It lists \(listed.map(\.name)) instead of it.")
            try await trial.playing(clip)
            let mark = trial.now
            trial.send(.selectSubtitle(clip, id: listed.first?.id))
            try await trial.ended(clip)
            let complaint = trial.events(of: clip, after: mark).first {
                if case .notice = $0.body { true } else { false }
            }
            try trial.require(complaint == nil, "It told \(complaint?.body.text ?? "").")
        },
        Case(
            "tells-what-a-medium-says-of-itself", "Tells the title of a medium.", .feature(.metadata), .tracks,
            .medium(\.title, "the title of the medium with tracks")
        ) { trial in
            let title = trial.fixtures.title
            let medium = trial.open(trial.fixtures.tracks ?? trial.fixtures.clip)
            try await trial.event("its title", of: medium) {
                if case .metadataChanged(let metadata) = $0 { metadata.title == title } else { false }
            }
        },
    ]
}

extension BackendContract.Requirement {
    fileprivate static let tracks = medium(\.tracks, "a medium with two sounds and two texts")
}
