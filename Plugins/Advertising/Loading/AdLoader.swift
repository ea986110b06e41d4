import FlowplayerSDK
import Foundation
import MediaTransport
import Playback

/// The advertisements of a break that can be played.
struct LoadedBreak: Sendable {
    /// An advertisement, and its media files, the best first.
    struct Playable: Hashable, Sendable {
        var ad: VASTAd
        var files: [VASTLinear.MediaFile]
        /// `true` if its trackers of `loaded` were called.
        var wasLoaded = false

        /// The duration in seconds; 0 if its document says none.
        var length: Double { ad.linear?.duration ?? 0 }
    }

    /// In the order of playback.
    var ads: [Playable] = []
    /// Each replaces one that fails.
    var replacements: [Playable] = []
    var failures: [VASTResolver.Failure] = []
    /// When they were loaded.
    var time = Duration.zero

    /// `true` if the documents may not be used any more.
    func isExpired(at now: Duration) -> Bool {
        ads.contains { playable in playable.ad.expires.map { now - time > .seconds($0) } ?? false }
    }
}

/// Loads schedules, and the advertisements of breaks.
struct AdLoader: Sendable {
    let transport: AdTransport
    let options: AdOptions
    let limits: AdMediaLimits
    private let containers: Set<String>?

    /// - Parameters:
    ///   - item: the item that the advertisements interrupt.
    ///   - containers: those that the engine plays; `nil` for all.
    init(transport: AdTransport, options: AdOptions, item: PlayerItem?, containers: Set<String>?) {
        (self.transport, self.options, self.containers) = (transport, options, containers)
        var limits = options.media
        limits.bitRate = limits.bitRate ?? item?.preferredPeakBitRate
        limits.size = limits.size ?? item?.maximumResolution
        self.limits = limits
    }

    // MARK: Schedules

    /// The breaks of a schedule on a server.
    func plans(at url: URL, _ macros: AdMacros) async throws(VASTError) -> [AdBreakPlan] {
        guard let address = address(url.absoluteString, macros) else { throw .wrapperFailed }
        let plans = try AdBreakPlan.plans(in: try await document(at: address, from: nil), at: address)
        if Task.isCancelled { throw .wrapperTimeout }
        return plans
    }

    private func document(at url: URL, from origin: URL?) async throws(VASTError) -> Data {
        let document: Data
        do throws(AdTransport.Failure) {
            document = try await transport.body(
                at: url, from: origin, upTo: VASTDocument.largestSize, within: options.documentTimeout)
        } catch {
            switch error {
            case .tooLong: throw .notXML
            case .timeout: throw .wrapperTimeout
            case .forbidden, .refused: throw .wrapperFailed
            }
        }
        // Servers without an advertisement answer so, with status 204 for example.
        if document.isEmpty { throw .noAdvertisement }
        return document
    }

    /// The address of a document.
    private func address(_ template: String, _ macros: AdMacros) -> URL? {
        var macros = macros.fresh()
        let types = limits.types.filter { containers?.contains($0) ?? true }
        macros.values["MEDIAMIME"] = macros.values["MEDIAMIME"] ?? types.joined(separator: ",")
        return macros.address(template)
    }

    // MARK: Breaks

    /// The advertisements of the first source that has one. None if the task was cancelled.
    func load(_ plan: AdBreakPlan, _ macros: AdMacros) async -> LoadedBreak {
        let resolver = VASTResolver(mostWrappers: options.mostWrappers) { (address, origin) async throws(VASTError) in
            guard let url = self.address(address, macros) else { throw .wrapperFailed }
            return (try await document(at: url, from: origin), url)
        }
        var loaded = LoadedBreak()
        for source in plan.sources where loaded.ads.isEmpty && !Task.isCancelled {
            add(await resolver.resolve(source, of: plan), macros, to: &loaded)
        }
        if Task.isCancelled { return LoadedBreak(failures: loaded.failures) }
        loaded.time = transport.clock.hostTime
        shorten(&loaded)
        return loaded
    }

    private func add(_ outcome: VASTResolver.Outcome, _ macros: AdMacros, to loaded: inout LoadedBreak) {
        loaded.failures += outcome.failures
        var replacements = outcome.replacements[...]
        for ad in outcome.ads {
            var candidate: VASTAd? = ad
            while let next = candidate {
                do throws(VASTError) {
                    loaded.ads.append(try playable(next, macros))
                    break
                } catch {
                    loaded.failures.append(.init(error: error, trackers: next.errors, ad: next))
                    candidate = replacements.popFirst()
                }
            }
        }
        // Nobody needs one that cannot be played.
        loaded.replacements += replacements.compactMap { try? playable($0, macros) }
    }

    /// - Throws: the reason why the advertisement cannot be played.
    private func playable(_ ad: VASTAd, _ macros: AdMacros) throws(VASTError) -> LoadedBreak.Playable {
        if let type = ad.type, !VASTAd.knownTypes.contains(type.lowercased()) { throw .unexpectedType }
        guard var linear = ad.linear else {
            throw ad.nonLinears.isEmpty ? .linearFailed : .unexpectedLinearity
        }
        if ad.requiresCompanions, !options.showsCompanions { throw .missingCompanion }
        try options.accept(ad)
        if let containers {
            linear.mediaFiles.removeAll { $0.apiFramework == nil && !containers.contains($0.type) }
        }
        let allowed = try linear.playableFiles(within: limits).compactMap { file in
            macros.fresh().address(file.url.absoluteString).flatMap { url in
                var file = file
                file.url = url
                return transport.security.error(for: url, from: ad.origin) == nil ? file : nil
            }
        }
        guard !allowed.isEmpty else { throw .linearFailed }
        let shown = ad.replacingAddresses { address in
            macros.fresh().address(address).flatMap { transport.allows(page: $0, from: ad.origin) ? $0 : nil }
        }
        return .init(ad: shown, files: allowed)
    }

    /// Removes the advertisements that exceed the longest break.
    private func shorten(_ loaded: inout LoadedBreak) {
        guard let longest = options.longestBreak?.inSeconds else { return }
        var length = 0.0
        var kept: [LoadedBreak.Playable] = []
        for playable in loaded.ads {
            guard length + playable.length <= longest else {
                loaded.failures.append(.init(error: .shortenedBreak, trackers: playable.ad.errors, ad: playable.ad))
                continue
            }
            length += playable.length
            kept.append(playable)
        }
        loaded.ads = kept
    }
}
