import Foundation
import Synchronization

/// Decides the response to each request, from the files, the plans and the earlier requests. Sends nothing.
final class RequestHandler: Sendable {
    /// A request of a client.
    struct Request {
        let method: String
        /// The path and the query, as received.
        let target: String
        let range: String?
        /// The base of the server's addresses for this client: `http://127.0.0.1:8080`.
        let base: String
    }

    /// Identifies requests that are counted together.
    private struct Key: Hashable {
        /// The plan in the address, or the path pattern of the plan.
        let scope: String
        /// The path or the token.
        let name: String
    }

    private struct State {
        var plans: [String: FaultPlan] = [:]
        var counts: [Key: Int] = [:]
        var usage: [Key: FaultContext.Usage] = [:]
        var starts: [String: Duration] = [:]
    }

    let library: Library
    let log = RequestLog()
    let elapsed: @Sendable () -> Duration
    let sleep: @Sendable (Duration) async throws -> Void
    private let state = Mutex(State())

    init(_ library: Library, clock: some Clock<Duration>) {
        self.library = library
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(for: $0) }
    }

    /// Sets or removes the plan of a path pattern, and resets its counters.
    func set(_ plan: FaultPlan?, for pattern: String) {
        let pattern = pattern.hasPrefix("/") ? pattern : "/" + pattern
        state.withLock { state in
            state.plans[pattern] = plan
            state.counts = state.counts.filter { $0.key.scope != pattern }
            state.usage = state.usage.filter { $0.key.scope != pattern }
            state.starts[pattern] = nil
        }
    }

    func removeAllPlans() { for pattern in state.withLock({ Array($0.plans.keys) }) { set(nil, for: pattern) } }

    func respond(to request: Request) -> (id: Int, response: Response) {
        let target = Target(request.target)
        let (scope, plan) = plan(for: target)
        let (path, time) = (target.path, elapsed())
        let key = Key(scope: scope, name: path)
        let ticket = Key(scope: scope, name: target.token)
        let (number, start, usage) = state.withLock { state in
            state.counts[key, default: 0] += 1
            let start = state.starts[scope] ?? time
            state.starts[scope] = start
            return (state.counts[key]!, start, state.usage[ticket] ?? .init())
        }
        let faults = faults(of: plan, path: path, number: number, isRanged: request.range != nil)
        let context = FaultContext(
            path: path, honestLocation: request.base + "/none" + target.rawPath + target.suffix,
            ownLocation: request.base + request.target, library: library, token: target.token,
            usage: usage, elapsed: time - start)
        let response = response(to: request, path: path, faults: faults, context)
        if response.status.map({ $0 < 300 }) ?? false {
            state.withLock { state in
                state.usage[ticket, default: .init()].answers += 1
                state.usage[ticket, default: .init()].bytes += min(response.limit ?? .max, response.sentBody.count)
            }
        }
        let id = log.add { id in
            FaultServerRequest(
                id: id, method: request.method, path: path, query: target.query, range: request.range, number: number,
                time: time, faults: faults, status: nil, bytesSent: 0, ending: .open)
        }
        return (id, response)
    }

    /// Returns the plan in the address, or else the plan with the longest matching path.
    private func plan(for target: Target) -> (scope: String, plan: FaultPlan) {
        if let prefix = target.prefix { return (prefix.text, prefix.plan) }
        let plans = state.withLock(\.plans)
        let patterns = plans.keys.filter { target.path == $0 || $0.hasSuffix("/") && target.path.hasPrefix($0) }
        guard let pattern = patterns.max(by: { $0.count < $1.count }) else { return ("", FaultPlan()) }
        return (pattern, plans[pattern]!)
    }

    private func faults(of plan: FaultPlan, path: String, number: Int, isRanged: Bool) -> [Fault] {
        let needsIndex = plan.steps.contains { $0.occasion.part != .any }
        let index = needsIndex ? HLSIndex(library) : nil
        return plan.steps.filter { step in
            let occasion = step.occasion
            return occasion.requests.contains(number) && (isRanged || !occasion.isRanged)
                && index?.contains(path, in: occasion.part) ?? true
        }.map(\.fault).filter { $0 != .none }
    }

    private func response(
        to request: Request, path: String, faults: [Fault], _ context: FaultContext
    ) -> Response {
        var response: Response
        if request.method != "GET", request.method != "HEAD" {
            response = Response(status: 405, headers: [("Allow", "GET, HEAD")])
        } else if let data = library.data(at: path) {
            var content = Content(path: path, data: data, type: mediaType(of: path), range: request.range)
            for fault in faults { fault.change(&content, in: context) }
            response = Response(content.data, type: content.type, range: content.range)
        } else {
            response = Response(status: 404, text: Self.explanation(of: path))
        }
        response.isHead = request.method == "HEAD"
        for fault in faults { fault.change(&response, in: context) }
        return response
    }

    /// Explains a missing file, and a fault in the address that has a typing error.
    private static func explanation(of path: String) -> String {
        let missing = "There is no file \(path)."
        let components = path.split(separator: "/").map(String.init)
        guard components.count > 1 else { return missing }
        do throws(FaultSyntaxError) {
            _ = try FaultPlan(parsing: components[0])
            return missing
        } catch {
            return "\(missing) \(error.description)"
        }
    }
}
