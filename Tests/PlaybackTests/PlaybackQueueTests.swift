import Foundation
import Playback
import TestSupport
import Testing

/// Which item comes next, in every situation.
@Suite struct PlaybackQueueTests {
    private let items = (1...5).map { PlayerItem(url: URL(filePath: "/media/\($0).mp3")) }

    private func queue(_ count: Int = 5, at index: Int? = 0, repeating mode: PlaybackQueue.RepeatMode = .off)
        -> PlaybackQueue
    {
        var queue = PlaybackQueue(Array(items.prefix(count)))
        queue.repeatMode = mode
        if let index { queue.jump(to: index) }
        return queue
    }

    /// A file or another process may say anything.
    @Test func aDecodedQueueHasAnAnswerToEverything() throws {
        var text = String(decoding: try JSONEncoder().encode(queue(2, at: 1)), as: UTF8.self)
        text = text.replacing("\"currentIndex\":1", with: "\"currentIndex\":9")
        var queue = try JSONDecoder().decode(PlaybackQueue.self, from: Data(text.utf8))
        #expect(queue.currentIndex == 9 && queue.currentItem == nil && queue.nextItem == nil && queue.remaining.isEmpty)
        queue.advance()
        queue.shuffle(seed: 1)
        queue.remove(items[0])
        queue.append(items)
        #expect(queue.items.count == 5)
    }

    @Test func anUpcomingItemBecomesTheCurrentOne() {
        var queue = queue(2, at: nil)
        queue.replaceCurrent(with: items[0])
        #expect(queue.currentItem == items[0])
        #expect(queue.items.count == 2)
    }

    @Test func anEmptyQueueHasAnAnswerToEverything() {
        var queue = PlaybackQueue()
        queue.move(from: 0, to: 1)
        queue.advance()
        queue.shuffle(seed: 1)
        queue.unshuffle()
        queue.played()
        #expect(!queue.begin() && !queue.jump(to: 0) && !queue.goBack(from: 0))
        #expect(!queue.ended() && !queue.hasFailed() && !queue.remove(items[0]))
        #expect(queue.currentItem == nil && queue.nextItem == nil && queue.remaining.isEmpty)
        queue.insert(items[0], after: nil)
        #expect(queue.currentItem == nil, "an inserted item does not start automatically")
        #expect(queue.begin() && queue.currentItem == items[0])
    }

    @Test func afterTheLastItemTheQueueIsOver() {
        var queue = queue(2)
        #expect(queue.ended() && queue.currentIndex == 1)
        #expect(!queue.ended() && queue.currentIndex == nil)
        #expect(queue.begin() && queue.currentIndex == 0)
    }

    @Test(arguments: [1, 3])
    func allCanBeRepeated(count: Int) {
        var queue = queue(count, repeating: .all)
        for round in 1...2 {
            for index in 0..<count {
                #expect(queue.currentIndex == index, "round \(round)")
                #expect(queue.nextItem == items[(index + 1) % count])
                let goesOn = queue.ended()
                #expect(goesOn)
            }
        }
    }

    @Test func anItemRepeatsUntilTheQueueAdvances() {
        var queue = queue(repeating: .one)
        #expect(queue.nextItem == items[0])
        #expect(queue.ended() && queue.ended() && queue.currentIndex == 0)
        queue.advance()
        #expect(queue.currentIndex == 1)
        queue.jump(to: 4)
        queue.advance()
        #expect(queue.currentIndex == nil)
    }

    @Test(arguments: [PlaybackQueue.ActionAtEnd.pause, .none])
    func theQueueCanStayAtAnEndedItem(action: PlaybackQueue.ActionAtEnd) {
        var queue = queue()
        queue.actionAtEnd = action
        #expect(queue.nextItem == nil)
        #expect(!queue.ended() && queue.currentIndex == 0)
    }

    @Test func previousIsTheBeginningOrTheItemBefore() {
        var queue = queue(at: 2)
        #expect(!queue.goBack(from: 3.1) && queue.currentIndex == 2)
        #expect(queue.goBack(from: 3) && queue.currentIndex == 1)
        #expect(queue.goBack(from: 0) && queue.currentIndex == 0)
        #expect(!queue.goBack(from: 0) && queue.currentIndex == 0)
        queue.repeatMode = .all
        #expect(queue.goBack(from: 0) && queue.currentIndex == 4)
        var single = self.queue(1, repeating: .all)
        let goesBack = single.goBack(from: 0)
        #expect(!goesBack)
    }

    @Test func oneAddressCanBeTwoItemsAndOneItemIsInsertedOnce() {
        let url = URL(filePath: "/media/1.mp3")
        let twice = [PlayerItem(url: url), PlayerItem(url: url)]
        var queue = PlaybackQueue(twice + twice)
        #expect(queue.items == twice)
        #expect(!queue.canInsert(twice[0]) && !queue.insert(twice[0], after: twice[1]))
        #expect(queue.begin() && queue.ended() && queue.currentIndex == 1)
        #expect(queue.canInsert(twice[0]) && !queue.canInsert(twice[1]))
        #expect(!queue.ended() && queue.canInsert(twice[1]), "the queue is over")
    }

    @Test func anItemInsertedBeforeTheCurrentOneKeepsIt() {
        var queue = queue(3, at: 1)
        queue.insert(items[4], at: 0)
        #expect(queue.currentItem == items[1] && queue.currentIndex == 2)
        queue.insert(items[3], after: items[1])
        #expect(queue.nextItem == items[3])
        queue.move(from: 0, to: 99)
        #expect(queue.items == [items[0], items[1], items[3], items[2], items[4]])
        #expect(queue.currentItem == items[1])
        queue.move(from: 1, to: 4)
        #expect(queue.currentIndex == 4 && queue.nextItem == nil)
        queue.move(from: 7, to: 0)
        #expect(queue.currentIndex == 4)
    }

    @Test func theNextItemFollowsARemovedCurrentOne() {
        var queue = queue(3, at: 1)
        let next = queue.remove(items[1])
        #expect(next && queue.currentItem == items[2] && queue.currentIndex == 1)
        let other = queue.remove(items[0])
        #expect(!other && queue.currentIndex == 0)
        let last = queue.remove(items[2])
        #expect(last && queue.currentIndex == nil && queue.items.isEmpty)
    }

    // MARK: Failures

    @Test func aFailedItemIsSkippedForTheRound() {
        var queue = queue(3, repeating: .all)
        #expect(queue.hasFailed() && queue.currentIndex == 1)
        queue.played()
        #expect(queue.goBack(from: 0) && queue.currentIndex == 0, "the user asks for it")
        #expect(queue.hasFailed() && queue.currentIndex == 1)
        queue.played()
        #expect(queue.ended() && queue.currentIndex == 2)
        #expect(queue.ended() && queue.currentIndex == 0, "another round")
    }

    @Test(arguments: PlaybackQueue.RepeatMode.allCases, [1, 2, 5])
    func aQueueOfFailedItemsStops(mode: PlaybackQueue.RepeatMode, count: Int) {
        var queue = queue(count, repeating: mode)
        var attempts = 1
        while queue.hasFailed() { attempts += 1 }
        #expect(attempts == count)
        #expect(queue.currentIndex != nil, "the failure is that of an item")
    }

    // MARK: Shuffling

    @Test(arguments: [nil, 0, 3])
    func everyItemComesOnceARoundAndTheCurrentOneStays(start: Int?) {
        var queue = queue(at: start)
        let current = queue.currentItem
        queue.shuffle(seed: 42)
        #expect(queue.currentItem == current)
        var played: [PlayerItem] = []
        queue.begin()
        repeat { played.append(queue.currentItem!) } while queue.ended()
        #expect(Set(played) == Set(items) && played.count == items.count)
        if let current { #expect(played.first == current) }
    }

    @Test func shuffleCanBeRevokedAndFollowsItsSeed() {
        var (queue, other) = (queue(at: 2), queue(at: 2))
        queue.shuffle(seed: 1)
        other.shuffle(seed: 1)
        #expect(queue.playOrder == other.playOrder)
        let orders = (1...9 as ClosedRange<UInt64>).map { seed in
            other.shuffle(seed: seed)
            return other.playOrder
        }
        #expect(Set(orders).count > 4)
        #expect(queue.items == items)
        queue.unshuffle()
        #expect(queue.playOrder == items && queue.nextItem == items[3])
    }

    // MARK: Random walk, beside a plain model

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func aRandomWalkEqualsThePlainModel(seed: UInt64) async {
        var dice = Dice(seed: seed)
        var queue = PlaybackQueue()
        var model = PlainQueue()
        var spare = (1...12).map { PlayerItem(url: URL(filePath: "/media/\($0)")) }
        for step in 1...Fuzzing.count(short: 1000) {
            await Fuzzing.giveWay(step)
            let index = Int.random(in: -1...12, using: &dice)
            let item = queue.items.randomElement(using: &dice)
            var answers = (true, true)
            switch Int.random(in: 0...17, using: &dice) {
            case 0, 1:
                guard let new = spare.popLast() else { break }
                answers = (queue.insert(new, after: item), model.insert(new, after: item))
            case 2:
                guard let new = spare.popLast() else { break }
                answers = (queue.insert(new, at: index), model.insert(new, at: index))
            case 3:
                guard let item else { break }
                spare.append(item)
                answers = (queue.remove(item), model.remove(item))
            case 4:
                let target = Int.random(in: -1...12, using: &dice)
                queue.move(from: index, to: target)
                model.move(from: index, to: target)
            case 5: answers = (queue.jump(to: index), model.jump(to: index))
            case 6: answers = (queue.begin(), model.begin())
            case 7:
                queue.advance()
                model.advance()
            case 8:
                let position = Double.random(in: 0...6, using: &dice)
                answers = (queue.goBack(from: position), model.goBack(from: position))
            case 9, 10, 11: answers = (queue.ended(), model.ended())
            case 12: answers = (queue.hasFailed(), model.hasFailed())
            case 13, 14:
                queue.played()
                model.played()
            case 15:
                let mode = PlaybackQueue.RepeatMode.allCases.randomElement(using: &dice)!
                (queue.repeatMode, model.mode) = (mode, mode)
            case 16:
                let action: PlaybackQueue.ActionAtEnd = Int.random(in: 0...4, using: &dice) == 0 ? .pause : .advance
                (queue.actionAtEnd, model.action) = (action, action)
            default:
                if Bool.random(using: &dice) {
                    queue.shuffle(seed: dice.next())
                    model.order = queue.playOrder.map(\.id)
                } else {
                    queue.unshuffle()
                    model.order = nil
                }
            }
            #expect(answers.0 == answers.1, "step \(step)")
            #expect(queue.items == model.items && queue.currentItem == model.current, "step \(step)")
            #expect(queue.playOrder == model.playOrder && queue.nextItem == model.next, "step \(step)")
            if queue.items != model.items || queue.currentItem != model.current { return }
        }
    }
}

/// The same rules written down once more, as a list of items of which one is marked.
private struct PlainQueue {
    var items: [PlayerItem] = []
    var current: PlayerItem?
    var order: [UUID]?
    var mode = PlaybackQueue.RepeatMode.off
    var action = PlaybackQueue.ActionAtEnd.advance
    var failed: [PlayerItem] = []
    var streak = 0

    var playOrder: [PlayerItem] { order.map { $0.map { id in items.first { $0.id == id }! } } ?? items }

    /// All items in the order in which they would be tried after the current one, over the end of the round.
    private func ahead(over wraps: Bool) -> PlayerItem? {
        guard let current else { return playOrder.first }
        var hasSeenCurrent = false
        for item in playOrder {
            if hasSeenCurrent, !failed.contains(item) { return item }
            if item == current { hasSeenCurrent = true }
        }
        return wraps ? playOrder.first : nil
    }

    var next: PlayerItem? {
        guard current != nil, action == .advance else { return nil }
        return mode == .one ? current : ahead(over: mode == .all)
    }

    private mutating func go(_ item: PlayerItem?) {
        if item != nil, item == playOrder.first { failed = [] }
        current = item
    }

    mutating func insert(_ item: PlayerItem, after other: PlayerItem?) -> Bool {
        if let other {
            items.insert(item, at: items.firstIndex(of: other)! + 1)
            if let order { self.order!.insert(item.id, at: order.firstIndex(of: other.id)! + 1) }
        } else {
            items.append(item)
            order?.append(item.id)
        }
        return true
    }

    mutating func insert(_ item: PlayerItem, at index: Int) -> Bool {
        items.insert(item, at: max(0, min(index, items.count)))
        order?.append(item.id)
        return true
    }

    mutating func remove(_ item: PlayerItem) -> Bool {
        let wasCurrent = item == current
        if wasCurrent {
            let follower = ahead(over: mode == .all)
            current = follower == item ? nil : follower
        }
        items.removeAll { $0 == item }
        order?.removeAll { $0 == item.id }
        failed.removeAll { $0 == item }
        return wasCurrent
    }

    mutating func move(from source: Int, to target: Int) {
        guard source >= 0, source < items.count else { return }
        let item = items.remove(at: source)
        items.insert(item, at: max(0, min(target, items.count)))
    }

    mutating func jump(to index: Int) -> Bool {
        guard index >= 0, index < items.count else { return false }
        current = items[index]
        failed.removeAll { $0 == current }
        streak = 0
        return true
    }

    mutating func begin() -> Bool {
        if current != nil { return true }
        (failed, streak) = ([], 0)
        current = playOrder.first
        return current != nil
    }

    mutating func advance() {
        streak = 0
        if current != nil { go(ahead(over: mode == .all)) }
    }

    mutating func goBack(from position: Double) -> Bool {
        guard let current, position <= 3 else { return false }
        let place = playOrder.firstIndex(of: current)!
        if place == 0, mode != .all || items.count < 2 { return false }
        self.current = place == 0 ? playOrder.last : playOrder[place - 1]
        failed.removeAll { $0 == self.current }
        streak = 0
        return true
    }

    mutating func ended() -> Bool {
        guard current != nil, action == .advance else { return false }
        if mode != .one { go(ahead(over: mode == .all)) }
        return current != nil
    }

    mutating func hasFailed() -> Bool {
        guard let current else { return false }
        if !failed.contains(current) { failed.append(current) }
        streak += 1
        guard streak < items.count, let next = ahead(over: mode == .all) else { return false }
        go(next)
        return true
    }

    mutating func played() {
        streak = 0
        failed.removeAll { $0 == current }
    }
}
