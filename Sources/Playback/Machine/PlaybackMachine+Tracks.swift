// The tracks of an item, and their selection.
extension PlaybackMachine {
    mutating func selectAudio(_ id: Int) {
        guard mayChooseTracks() else { return }
        guard snapshot.tracks?.audio.contains(where: { $0.id == id }) == true else {
            return warn("noSuchTrack", "The item has no audio track \(id).")
        }
        hasChosenAudio = true
        change(\.audio, to: id, .selectAudio(snapshot.generation, id: id))
    }

    mutating func selectSubtitle(_ id: Int?) {
        guard mayChooseTracks() else { return }
        guard id == nil || snapshot.tracks?.subtitles.contains(where: { $0.id == id }) == true else {
            return warn("noSuchTrack", "The item has no subtitle track \(id ?? 0).")
        }
        hasChosenSubtitle = true
        change(\.subtitle, to: id, .selectSubtitle(snapshot.generation, id: id))
    }

    mutating func mayChooseTracks() -> Bool {
        warnIfMissing(.trackSelection, "This backend cannot change tracks: the first ones play.")
        guard capabilities.can(.trackSelection) else { return false }
        guard snapshot.isReady, snapshot.isOpen else {
            warn("noTracksYet", "Tracks can be selected only while an item is open.")
            return false
        }
        return true
    }

    /// The selection survives a new opening of the same item.
    mutating func openedTracks(_ media: OpenedMedia) {
        let (wasOpenBefore, audio, subtitle) = (snapshot.tracks != nil, snapshot.audio, snapshot.subtitle)
        setTracks(media.tracks, audio: media.audio, subtitle: media.subtitle)
        guard wasOpenBefore else { return selectPreferredTracks() }
        let (reported, reportedSubtitle) = (snapshot.audio, snapshot.subtitle)
        setTracks(media.tracks, audio: audio ?? reported, subtitle: subtitle)
        if let audio = snapshot.audio, audio != reported { send(.selectAudio(snapshot.generation, id: audio)) }
        if snapshot.subtitle != reportedSubtitle { send(.selectSubtitle(snapshot.generation, id: snapshot.subtitle)) }
    }

    mutating func languagesChanged(_ languages: [String]) {
        if !languages.isEmpty {
            warnIfMissing(.trackSelection, "This backend cannot change tracks: the first ones play.")
        }
        selectPreferredTracks()
    }

    /// Selects the tracks with the preferred languages, unless the user has selected others of this item.
    mutating func selectPreferredTracks() {
        guard capabilities.can(.trackSelection), snapshot.isReady, snapshot.isOpen, let tracks = snapshot.tracks else {
            return
        }
        let audio = LanguageTag.first(of: tracks.audio, in: snapshot.preferredAudioLanguages, \.lang)
        if let id = audio?.id, !hasChosenAudio {
            change(\.audio, to: id, .selectAudio(snapshot.generation, id: id))
        }
        let subtitle = LanguageTag.first(of: tracks.subtitles, in: snapshot.preferredSubtitleLanguages, \.lang)
        if let id = subtitle?.id, !hasChosenSubtitle {
            change(\.subtitle, to: id, .selectSubtitle(snapshot.generation, id: id))
        }
    }

    mutating func setTracks(_ tracks: MediaTracks?, audio: Int?, subtitle: Int?) {
        snapshot.tracks = tracks
        snapshot.audio = tracks?.audio.first { $0.id == audio }?.id
        snapshot.subtitle = tracks?.subtitles.first { $0.id == subtitle }?.id
    }
}
