import Foundation

/// Follows the wrappers of a document to the advertisements.
///
/// One resolver serves one break, so that all its documents are limited together. The loading is a closure, so the rules need no network.
struct VASTResolver: Sendable {
    /// The result of a document.
    struct Outcome: Sendable {
        /// The advertisements of the break, in their order.
        var ads: [VASTAd] = []
        /// The advertisements that replace one that fails.
        var replacements: [VASTAd] = []
        /// The errors on the way, each once, with the trackers that receive it.
        private(set) var failures: [Failure] = []

        static func failed(_ error: VASTError, _ trackers: [String] = []) -> Outcome {
            var outcome = Outcome()
            outcome.add(Failure(error: error, trackers: trackers))
            return outcome
        }

        /// A list of a hundred wrappers that fail has one error.
        private mutating func add(_ failure: Failure) {
            let index = failures.firstIndex { $0.error == failure.error } ?? failures.endIndex
            if index == failures.endIndex { failures.append(Failure(error: failure.error, trackers: [])) }
            var known = Set(failures[index].trackers)
            let new = failure.trackers.filter { known.insert($0).inserted }
            failures[index].trackers = (failures[index].trackers + new).limited
        }

        mutating func add(_ other: Outcome) {
            ads = Array((ads + other.ads).prefix(VASTDocument.mostAds))
            replacements = Array((replacements + other.replacements).prefix(VASTDocument.mostAds))
            for failure in other.failures { add(failure) }
        }
    }

    /// An advertisement that cannot be played, or a document without one.
    struct Failure: Hashable, Sendable {
        var error: VASTError
        /// The trackers that receive the error, with macros.
        var trackers: [String]
        /// `nil` if no advertisement was found.
        var ad: VASTAd?
    }

    /// The largest number of nested wrappers. Source: VAST 4.2, section 2.3.4.1.
    static let mostWrappers = 5
    /// The largest number of documents of a break. A document with many wrappers cannot start a flood.
    static let mostDocuments = 20

    /// The largest number of nested wrappers of an advertisement.
    var mostWrappers = Self.mostWrappers
    /// The requests that are left, for all documents of a break.
    private let budget = Budget()
    /// Returns the document at an address with macros, and the address without them. Throws `wrapperTimeout` or `wrapperFailed`.
    ///
    /// `origin` is the document that names the address; `nil` if the host names it.
    let load: @Sendable (_ address: String, _ origin: URL?) async throws(VASTError) -> (Data, URL)

    /// The documents that may still be requested.
    private actor Budget {
        private var left = VASTResolver.mostDocuments

        func take() -> Bool {
            left -= 1
            return left >= 0
        }
    }

    /// The way to a document.
    private struct Path {
        /// The wrappers, the outermost first.
        var wrappers: [VASTAd] = []
        /// The document that the path has come to; `nil` if it is part of a schedule of the host.
        var origin: URL?
        /// The addresses of the documents, with macros.
        var visited: [String]
        /// `false` to play one advertisement only.
        var allowsMultiple: Bool
        /// `false` to follow no wrapper.
        var followsWrappers: Bool

        init(_ plan: AdBreakPlan) {
            (origin, visited) = (plan.origin, plan.origin.map { [$0.absoluteString] } ?? [])
            (allowsMultiple, followsWrappers) = (plan.allowsMultipleAds, plan.followsRedirects)
        }

        /// The trackers that receive an error on the way.
        var trackers: [String] { wrappers.flatMap(\.errors) }
    }

    /// Resolves a source of a break.
    func resolve(_ source: AdBreakPlan.Source, of plan: AdBreakPlan) async -> Outcome {
        switch source {
        case .address(let address): await outcome(at: address, Path(plan))
        case .document(let document): await outcome(of: document, Path(plan))
        case .failed(let error): .failed(error)
        }
    }

    private func outcome(at address: String, _ path: Path) async -> Outcome {
        do throws(VASTError) {
            let isLoop = path.visited.contains(address)
            guard path.wrappers.count <= mostWrappers, !isLoop, await budget.take() else {
                throw .tooManyWrappers
            }
            var path = path
            let (data, origin) = try await load(address, path.origin)
            path.origin = origin
            path.visited.append(address)
            return await outcome(of: try VASTDocument(data), path)
        } catch {
            return .failed(error, path.trackers)
        }
    }

    private func outcome(of document: VASTDocument, _ path: Path) async -> Outcome {
        guard !document.ads.isEmpty else { return .failed(.noAdvertisement, path.trackers + document.errors) }
        let pod = path.allowsMultiple ? document.pod : document.single
        var replacements = pod.replacements
        var all = Outcome()
        for (ad, outcome) in zip(pod.ads, await outcomes(of: pod.ads, path)) {
            var (ad, found) = (ad, outcome)
            all.add(found)
            while found.ads.isEmpty, ad.wrapper?.fallsBackOnNoAd ?? path.allowsMultiple, !replacements.isEmpty {
                ad = replacements.removeFirst()
                found = await self.outcome(of: ad, path)
                all.add(found)
            }
        }
        guard path.allowsMultiple else { return all }
        // A replacement that is a wrapper would need another request in the middle of the break.
        let loaded = replacements.filter { $0.wrapper == nil && $0.failure == nil }
        all.add(Outcome(replacements: loaded.compactMap { try? merged($0, path).get() }))
        return all
    }

    /// Follows the wrappers of a pod at the same time: a slow server takes no time from the others.
    private func outcomes(of ads: [VASTAd], _ path: Path) async -> [Outcome] {
        await withTaskGroup(of: (Int, Outcome).self) { group in
            for (index, ad) in ads.enumerated() { group.addTask { (index, await outcome(of: ad, path)) } }
            var outcomes = Array(repeating: Outcome(), count: ads.count)
            for await (index, outcome) in group { outcomes[index] = outcome }
            return outcomes
        }
    }

    private func outcome(of ad: VASTAd, _ path: Path) async -> Outcome {
        if let failure = ad.failure { return .failed(failure, path.trackers + ad.errors) }
        guard let wrapper = ad.wrapper else {
            switch merged(ad, path) {
            case .success(let ad): return Outcome(ads: [ad])
            case .failure(let error): return .failed(error, path.trackers + ad.errors)
            }
        }
        guard path.followsWrappers else { return .failed(.tooManyWrappers, path.trackers + ad.errors) }
        var path = path
        path.wrappers.append(ad)
        path.allowsMultiple = path.allowsMultiple && wrapper.allowsMultipleAds
        path.followsWrappers = wrapper.followsWrappers
        return await outcome(at: wrapper.address, path)
    }

    /// Adds to an advertisement what the wrappers on the way to it ask for.
    private func merged(_ ad: VASTAd, _ path: Path) -> Result<VASTAd, VASTError> {
        var ad = ad
        let wrappers = path.wrappers
        ad.origin = path.origin
        if ad.isConditional { return .failure(.conditionalRejected) }
        let blocked = Set(wrappers.flatMap(\.blockedCategories).flatMap(\.codes))
        if !blocked.isDisjoint(with: ad.categories.flatMap(\.codes)) { return .failure(.blockedCategory) }
        if !blocked.isEmpty, ad.categories.isEmpty { return .failure(.missingCategory) }
        if let outer = wrappers.first(where: { $0.sequence != nil }) { ad.sequence = outer.sequence }
        for wrapper in wrappers.reversed() {
            ad.impressions = (wrapper.impressions + ad.impressions).limited
            ad.errors = (wrapper.errors + ad.errors).limited
            ad.viewable = (wrapper.viewable + ad.viewable).limited
            ad.notViewable = (wrapper.notViewable + ad.notViewable).limited
            ad.viewUndetermined = (wrapper.viewUndetermined + ad.viewUndetermined).limited
            ad.verifications = (wrapper.verifications + ad.verifications).limited
            ad.extensions = (wrapper.extensions + ad.extensions).limited
            ad.addParts(of: wrapper)
        }
        return .success(ad)
    }
}

extension VASTAd {
    /// Adds the trackers, icons and companions of a wrapper.
    fileprivate mutating func addParts(of wrapper: VASTAd) {
        if let index = creatives.firstIndex(where: { $0.linear != nil }), var linear = creatives[index].linear {
            for outer in wrapper.creatives.compactMap(\.linear) {
                linear.tracking = (outer.tracking + linear.tracking).limited
                linear.clickTracking = (outer.clickTracking + linear.clickTracking).limited
                // The icon closest to the advertisement replaces others for the same program. Source: VAST 4.2, section 3.11.
                let known = Set(linear.icons.compactMap(\.program))
                let others = outer.icons.filter { icon in icon.program.map { !known.contains($0) } ?? true }
                linear.icons = (linear.icons + others).limited
            }
            creatives[index].linear = linear
        }
        let shown = wrapper.companions.filter { !$0.resources.isEmpty }
        if companions.isEmpty, !shown.isEmpty {
            var creative = VASTCreative()
            creative.companions = shown
            creatives.append(creative)
        }
        // A companion without an image has the trackers of those that are shown.
        let others = wrapper.companions.filter(\.resources.isEmpty)
        let (views, clicks) = (others.flatMap(\.viewTracking).limited, others.flatMap(\.clickTracking).limited)
        let touches = wrapper.nonLinears.flatMap(\.clickTracking).limited
        let events = wrapper.creatives.flatMap(\.nonLinearTracking).limited
        for index in creatives.indices {
            for place in creatives[index].companions.indices {
                let companion = creatives[index].companions[place]
                creatives[index].companions[place].viewTracking = (views + companion.viewTracking).limited
                creatives[index].companions[place].clickTracking = (clicks + companion.clickTracking).limited
            }
            guard !creatives[index].nonLinears.isEmpty else { continue }
            creatives[index].nonLinearTracking = (events + creatives[index].nonLinearTracking).limited
            for place in creatives[index].nonLinears.indices {
                let own = creatives[index].nonLinears[place].clickTracking
                creatives[index].nonLinears[place].clickTracking = (touches + own).limited
            }
        }
    }
}

extension VASTAd.Category {
    /// The codes of a list such as `IAB1, IAB2`.
    fileprivate var codes: [String] { value.split { $0 == "," || $0.isWhitespace }.map(String.init) }
}

extension Array {
    /// As many as an advertisement may have of one kind, with those of its wrappers.
    fileprivate var limited: [Element] { Array(prefix(VASTDocument.mostTrackers)) }
}
