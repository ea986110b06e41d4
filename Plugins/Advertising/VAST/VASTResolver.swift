import Foundation

/// Follows the wrappers of a document to the advertisements.
///
/// The loading is a closure, so the rules need no network.
struct VASTResolver: Sendable {
    /// The result of a document.
    struct Outcome: Sendable {
        /// The advertisements of the break, in their order.
        var ads: [VASTAd] = []
        /// The advertisements that replace one that fails.
        var replacements: [VASTAd] = []
        /// The errors on the way, each with the trackers that receive it.
        var failures: [Failure] = []
    }

    /// An error with the trackers that receive it, with macros.
    struct Failure: Hashable, Sendable {
        var error: VASTError
        var trackers: [String]
    }

    /// The largest number of nested wrappers. Source: VAST 4.2, section 2.3.4.1.
    static let mostWrappers = 5
    /// The largest number of documents of a break. A document with many wrappers cannot start a flood.
    static let mostDocuments = 20

    /// Returns the document at an address, which another document names. Throws `wrapperTimeout` or `wrapperFailed`.
    let load: @Sendable (_ address: String, _ origin: String?) async throws(VASTError) -> Data

    /// The documents that were requested, to limit them.
    private actor Budget {
        private var left = VASTResolver.mostDocuments

        func take() -> Bool {
            left -= 1
            return left >= 0
        }
    }

    /// Resolves the document at an address.
    ///
    /// - Parameters:
    ///   - origin: the document that names the address; `nil` if the host names it.
    ///   - allowsMultiple: `false` to play one advertisement only.
    ///   - followsWrappers: `false` to follow no wrapper.
    func resolve(
        _ address: String, from origin: URL? = nil, allowsMultiple: Bool = true, followsWrappers: Bool = true
    ) async -> Outcome {
        await resolve(
            address, by: [], visited: origin.map { [$0.absoluteString] } ?? [], allowsMultiple: allowsMultiple,
            followsWrappers: followsWrappers, Budget())
    }

    /// Resolves a document that is part of another one.
    func resolve(
        _ document: VASTDocument, from origin: URL? = nil, allowsMultiple: Bool = true, followsWrappers: Bool = true
    ) async -> Outcome {
        await resolve(
            document, by: [], visited: origin.map { [$0.absoluteString] } ?? [], allowsMultiple: allowsMultiple,
            followsWrappers: followsWrappers, Budget())
    }

    /// - Parameter wrappers: the wrappers that lead to this document, the outermost first.
    private func resolve(
        _ address: String, by wrappers: [VASTAd], visited: [String] = [], allowsMultiple: Bool, followsWrappers: Bool,
        _ budget: Budget
    ) async -> Outcome {
        let trackers = wrappers.flatMap(\.errors)
        do throws(VASTError) {
            guard wrappers.count <= Self.mostWrappers, !visited.contains(address), await budget.take() else {
                throw .tooManyWrappers
            }
            let document = try VASTDocument(try await load(address, visited.last))
            return await resolve(
                document, by: wrappers, visited: visited + [address], allowsMultiple: allowsMultiple,
                followsWrappers: followsWrappers, budget)
        } catch {
            return Outcome(failures: [Failure(error: error, trackers: trackers)])
        }
    }

    private func resolve(
        _ document: VASTDocument, by wrappers: [VASTAd], visited: [String], allowsMultiple: Bool,
        followsWrappers: Bool, _ budget: Budget
    ) async -> Outcome {
        let trackers = wrappers.flatMap(\.errors)
        var outcome = Outcome()
        guard !document.ads.isEmpty else {
            outcome.failures = [Failure(error: .noAdvertisement, trackers: trackers + document.errors)]
            return outcome
        }
        let pod = document.pod
        // One advertisement only: the first outside of a pod.
        let single = document.ads.first { $0.sequence == nil } ?? document.ads[0]
        let ads = allowsMultiple ? pod.ads : [single]
        var spare = (allowsMultiple ? pod.replacements : document.ads.filter { $0.sequence == nil && $0 != single })[
            ...]
        for ad in ads {
            var candidate: VASTAd? = ad
            while let next = candidate {
                let found = await resolve(
                    next, by: wrappers, visited: visited, followsWrappers: followsWrappers, budget)
                outcome.ads += found.ads
                outcome.failures += found.failures
                outcome.replacements += found.replacements
                let mayReplace = next.wrapper?.fallsBackOnNoAd ?? allowsMultiple
                candidate = found.ads.isEmpty && mayReplace ? spare.popFirst() : nil
            }
        }
        // A replacement that is a wrapper would need another request in the middle of the break.
        outcome.replacements += spare.filter { $0.wrapper == nil }.compactMap {
            try? merged($0, with: wrappers, at: visited.last).get()
        }
        return outcome
    }

    private func resolve(
        _ ad: VASTAd, by wrappers: [VASTAd], visited: [String], followsWrappers: Bool, _ budget: Budget
    ) async -> Outcome {
        guard let wrapper = ad.wrapper else {
            switch merged(ad, with: wrappers, at: visited.last) {
            case .success(let ad): return Outcome(ads: [ad])
            case .failure(let error):
                let trackers = wrappers.flatMap(\.errors) + ad.errors
                return Outcome(failures: [Failure(error: error, trackers: trackers)])
            }
        }
        let path = wrappers + [ad]
        guard followsWrappers else {
            return Outcome(failures: [Failure(error: .tooManyWrappers, trackers: path.flatMap(\.errors))])
        }
        return await resolve(
            wrapper.address, by: path, visited: visited, allowsMultiple: wrapper.allowsMultipleAds,
            followsWrappers: wrapper.followsWrappers, budget)
    }

    /// Adds to an advertisement what the wrappers on the way to it ask for: trackers, clicks, icons and companions.
    private func merged(_ ad: VASTAd, with wrappers: [VASTAd], at address: String?) -> Result<VASTAd, VASTError> {
        var ad = ad
        ad.origin = address.flatMap { URL(string: $0) }
        if ad.isConditional { return .failure(.conditionalRejected) }
        let blocked = Set(wrappers.flatMap(\.blockedCategories).flatMap { $0.value.split(separator: ",") })
        if ad.categories.contains(where: { blocked.contains(Substring($0.value)) }) {
            return .failure(.blockedCategory)
        }
        if !blocked.isEmpty, ad.categories.isEmpty { return .failure(.missingCategory) }
        if let outer = wrappers.first(where: { $0.sequence != nil }) { ad.sequence = outer.sequence }
        for wrapper in wrappers.reversed() {
            ad.impressions = wrapper.impressions + ad.impressions
            ad.errors = wrapper.errors + ad.errors
            ad.viewable = wrapper.viewable + ad.viewable
            ad.notViewable = wrapper.notViewable + ad.notViewable
            ad.viewUndetermined = wrapper.viewUndetermined + ad.viewUndetermined
            ad.verifications = wrapper.verifications + ad.verifications
            ad.extensions = wrapper.extensions + ad.extensions
            guard let index = ad.creatives.firstIndex(where: { $0.linear != nil }) else { continue }
            for linear in wrapper.creatives.compactMap(\.linear) {
                ad.creatives[index].linear?.tracking.insert(contentsOf: linear.tracking, at: 0)
                ad.creatives[index].linear?.clickTracking.insert(contentsOf: linear.clickTracking, at: 0)
                ad.creatives[index].linear?.customClicks.insert(contentsOf: linear.customClicks, at: 0)
                ad.creatives[index].linear?.icons += linear.icons
            }
            // Those of the advertisement itself come first.
            if ad.companions.isEmpty { ad.creatives += wrapper.creatives.filter { !$0.companions.isEmpty } }
        }
        return .success(ad)
    }
}
