import Foundation
import Synchronization

/// Decides the response to each request, from the files, the plans and the earlier requests. Sends nothing.
final class RequestHandler: Sendable {
    /// A request of a client.
    struct Request {
        let method: String
        /// The path and the query, as received.
        let target: String
        /// By their names in lower case.
        let headers: [String: String]
        /// The base of the server's addresses for this client: `http://127.0.0.1:8080`.
        let base: String
        /// `true` if the client leaves the connection open for its next request.
        let keepsAlive: Bool

        var range: String? { headers["range"] }
    }

    /// A plan with the requests that it has affected.
    private struct Scope {
        var plan = FaultPlan()
        /// The time of the first request.
        var start: Duration?
        /// The number of requests, by their path.
        var counts: [String: Int] = [:]
        /// By the token.
        var usage: [String: FaultContext.Usage] = [:]
    }

    let library: Library
    let log = RequestLog()
    let elapsed: @Sendable () -> Duration
    let sleep: @Sendable (Duration) async throws -> Void
    /// By the path pattern of the plan, which begins with a `/`, or by the plan in the address. The name is empty without a plan.
    private let scopes = Mutex<[String: Scope]>([:])

    init(_ library: Library, clock: some Clock<Duration>) {
        self.library = library
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(for: $0) }
    }

    /// Sets or removes the plan of a path pattern, and resets its counters.
    func set(_ plan: FaultPlan?, for pattern: String) {
        let pattern = pattern.hasPrefix("/") ? pattern : "/" + pattern
        scopes.withLock { $0[pattern] = plan.map { Scope(plan: $0) } }
    }

    func removeAllPlans() { scopes.withLock { $0 = $0.filter { !$0.key.hasPrefix("/") } } }

    func respond(to request: Request) -> (id: Int, response: Response) {
        let target = Target(request.target)
        let (path, token, time) = (target.path, target.token, elapsed())
        let (name, scope) = scopes.withLock { scopes in
            let name = target.prefix?.text ?? Self.pattern(for: path, in: scopes.keys)
            var scope = scopes[name] ?? Scope(plan: target.prefix?.plan ?? FaultPlan())
            scope.start = scope.start ?? time
            scope.counts[path, default: 0] += 1
            scopes[name] = scope
            return (name, scope)
        }
        let number = scope.counts[path] ?? 1
        let faults = faults(of: scope.plan, path: path, number: number, isRanged: request.range != nil)
        let context = FaultContext(
            path: path, honestLocation: request.base + "/none" + target.rawPath + target.suffix,
            ownLocation: request.base + request.target, library: library, token: token,
            usage: scope.usage[token] ?? .init(), elapsed: time - (scope.start ?? time))
        let response = response(to: request, path: path, faults: faults, context)
        if response.status.map({ $0 < 300 }) ?? false {
            scopes.withLock { scopes in
                scopes[name]?.usage[token, default: .init()].answers += 1
                scopes[name]?.usage[token, default: .init()].bytes += min(
                    response.limit ?? .max, response.sentBody.count)
            }
        }
        let id = log.add { id in
            FaultServerRequest(
                id: id, method: request.method, path: path, query: target.query, headers: request.headers,
                number: number,
                time: time, faults: faults, status: nil, bytesSent: 0, ending: .open)
        }
        return (id, response)
    }

    /// Returns the longest pattern that matches a path, or an empty string.
    private static func pattern(for path: String, in names: some Sequence<String>) -> String {
        let patterns = names.filter { name in
            name.hasPrefix("/") && (path == name || name.hasSuffix("/") && path.hasPrefix(name))
        }
        return patterns.max { $0.count < $1.count } ?? ""
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
        do {
            _ = try FaultPlan(parsing: components[0])
            return missing
        } catch {
            return "\(missing) \(error.description)"
        }
    }
}
