/// The missing and the surplus elements of a list, one a line.
struct LineDifference {
    enum Mark: String {
        case same = "  "
        case missing = "- "
        case unexpected = "+ "
    }

    private var marked: [(mark: Mark, text: String)] = []

    /// - Parameter text: one line for an element. Elements that differ and have the same line are shown in full.
    init<Element: Hashable>(expected: [Element], actual: [Element], text: (Element) -> String) {
        let (removed, inserted) = Self.changes(from: expected, to: actual)
        let ambiguous = Set(removed.map { text(expected[$0]) }).intersection(inserted.map { text(actual[$0]) })
        func line(_ element: Element, isChange: Bool) -> String {
            let line = text(element)
            return isChange && ambiguous.contains(line) ? "\(element)" : line
        }
        var (old, new) = (0, 0)
        while old < expected.count || new < actual.count {
            if removed.contains(old) {
                marked.append((.missing, line(expected[old], isChange: true)))
                old += 1
            } else if inserted.contains(new) {
                marked.append((.unexpected, line(actual[new], isChange: true)))
                new += 1
            } else {
                marked.append((.same, line(actual[new], isChange: false)))
                (old, new) = (old + 1, new + 1)
            }
        }
    }

    /// The smallest difference of longer lists takes too much time and memory to find.
    private static let longestSearch = 2000

    private static func changes<Element: Hashable>(
        from expected: [Element], to actual: [Element]
    ) -> (removed: Set<Int>, inserted: Set<Int>) {
        let start = zip(expected, actual).prefix { $0 == $1 }.count
        let (old, new) = (expected[start...], actual[start...])
        guard old.count + new.count < longestSearch else { return differenceInOrder(from: old, to: new) }
        var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
        for change in Array(new).difference(from: Array(old)) {
            switch change {
            case .remove(let offset, _, _): removed.insert(start + offset)
            case .insert(let offset, _, _): inserted.insert(start + offset)
            }
        }
        return (removed, inserted)
    }

    /// Takes every element for the next expected one that it can be.
    private static func differenceInOrder<Element: Hashable>(
        from expected: ArraySlice<Element>, to actual: ArraySlice<Element>
    ) -> (removed: Set<Int>, inserted: Set<Int>) {
        var next = expected.startIndex
        var inserted: Set<Int> = []
        for index in actual.indices {
            if next < expected.endIndex, actual[index] == expected[next] {
                next += 1
            } else {
                inserted.insert(index)
            }
        }
        return (Set(next..<expected.endIndex), inserted)
    }

    // MARK: Shortening

    /// So many lines are shown at each end of a run of equal lines, and of one of missing or unexpected ones.
    private static let shown = (same: 3, changed: 20)

    /// The lines, each with its mark; in place of the middle of a long run, how many lines were left out.
    ///
    /// - Parameter marksUnexpected: `false` shows what came unasked like everything else.
    func lines(markingUnexpected marksUnexpected: Bool = true) -> [String] {
        let marked = marked.map { mark, text in
            (mark: mark == .unexpected && !marksUnexpected ? Mark.same : mark, text: text)
        }
        var lines: [String] = []
        var rest = marked[...]
        while let first = rest.first {
            let run = rest.prefix { $0.mark == first.mark }
            rest = rest.dropFirst(run.count)
            let shown = first.mark == .same ? Self.shown.same : Self.shown.changed
            let texts = run.map { $0.mark.rawValue + $0.text }
            let omitted = texts.count - 2 * shown
            let middle = omitted > 1 ? ["\(first.mark.rawValue)... \(omitted) more lines"] : []
            lines += omitted > 1 ? texts.prefix(shown) + middle + texts.suffix(shown) : texts
        }
        return lines
    }
}
