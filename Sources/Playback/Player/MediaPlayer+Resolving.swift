import Foundation

// The requests for deferred items and for new addresses. Each one ends when its generation is replaced.
extension MediaPlayer {
    func resolve(_ generation: Generation) {
        let next = snapshot.next.flatMap { $0.generation == generation ? $0.item : nil }
        let deferred = next ?? snapshot.item?.source
        guard let resolver = deferred.flatMap({ itemResolvers[$0.id] }) else {
            let error = PlaybackError(
                .unsupportedScheme, url: nil, detail: "This player has no resolver for the deferred item.")
            perform(.failResolving(generation, error))
            return
        }
        search(for: generation) {
            do throws(PlaybackError) {
                return [.resolve(generation, try await resolver())]
            } catch {
                return [.failResolving(generation, error)]
            }
        }
    }

    func readdress(_ generation: Generation, _ item: PlayerItem, after error: PlaybackError) {
        guard let urlProvider else {
            perform(.readdress(generation, to: nil))
            return
        }
        search(for: generation) {
            do {
                return [.readdress(generation, to: try await urlProvider.url(for: item, after: error))]
            } catch {
                let reason = (error as? any LocalizedError)?.errorDescription ?? "\(type(of: error))"
                let message = "There is no new address: \(reason.withRedactedAddresses)"
                return [.warn(PlaybackNotice(code: "noNewAddress", message: message)), .readdress(generation, to: nil)]
            }
        }
    }

    /// Performs the commands that a search returns, unless it is cancelled before.
    private func search(for generation: Generation, _ commands: @escaping @Sendable () async -> [PlayerCommand]) {
        searches[generation] = Task.detached { [weak self] in
            let found = await commands()
            await self?.endSearch(for: generation, found)
        }
    }

    private func endSearch(for generation: Generation, _ commands: [PlayerCommand]) {
        guard searches.removeValue(forKey: generation) != nil else { return }
        for command in commands { perform(command) }
    }

    func endSearches(of snapshot: PlayerSnapshot) {
        for (generation, search) in searches {
            let isOpen = generation == snapshot.generation && snapshot.isOpen
            guard !isOpen, generation != snapshot.next?.generation else { continue }
            search.cancel()
            searches[generation] = nil
        }
    }
}
