import FlowplayerSDK

/// Runs the command of each key on a view.
@MainActor
struct KeyControls {
    let view: FlowplayerView
    let display: Display
    let quit: @MainActor () -> Void

    private static let seekStep = 5.0
    private static let volumeStep: Float = 0.05
    private static let rates: [Float] = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4]

    func handle(_ key: Key) {
        let position = view.position?.seconds ?? 0
        switch key {
        case .space: if view.avPlayer?.snapshot.shouldPlay == true { view.pause() } else { view.play() }
        case .left: view.seek(position - Self.seekStep)
        case .right: view.seek(position + Self.seekStep)
        case .up: view.volume += Self.volumeStep
        case .down: view.volume -= Self.volumeStep
        case .character("m"): view.isMuted.toggle()
        case .character("["): setRate(Self.rates.last { $0 < view.defaultRate })
        case .character("]"): setRate(Self.rates.first { $0 > view.defaultRate })
        case .character("0"): view.seek(0)
        case .character("a"): selectNextAudio()
        case .character("s"): selectNextSubtitle()
        case .character("n"): if view.queue?.queue.nextItem != nil { view.queue?.advanceToNextItem() }
        case .character("p"): view.queue?.returnToPreviousItem()
        case .character("q"): quit()
        case .character: break
        }
    }

    /// Sets the rate for now and for the next `play()`. A paused player stays paused.
    private func setRate(_ rate: Float?) {
        guard let rate else { return }
        view.defaultRate = rate
        if view.rate > 0 { view.rate = rate }
        view.avPlayer.map { display.show(Status($0.snapshot), isNewState: false) }
    }

    private func selectNextAudio() {
        let tracks = view.audioList
        guard tracks.count > 1, let current = tracks.firstIndex(where: { $0 == view.currentAudio }) else { return }
        let next = tracks[(current + 1) % tracks.count]
        view.selectTrack(audio: next.id)
        display.message("audio: \(next.name)")
    }

    private func selectNextSubtitle() {
        let tracks = view.subtitleList + [.off]
        guard tracks.count > 1 else { return }
        let current = tracks.firstIndex { $0.id == view.currentSubtitle?.id } ?? tracks.count - 1
        let next = tracks[(current + 1) % tracks.count]
        view.selectTrack(subtitle: next.id)
        display.message("subtitles: \(next.name)")
    }
}
