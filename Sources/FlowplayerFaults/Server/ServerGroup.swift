import NetworkThread

extension NetworkThread {
    /// The thread of all fault servers.
    static let faultServers = NetworkThread(label: "fault-servers")
}

/// The listeners of a fault server, which start and stop together.
actor ServerGroup {
    private let handler: RequestHandler
    /// The port without a certificate serves plain HTTP.
    private let ports: [(port: ReservedPort, certificate: TLSCertificate?)]
    private var tasks: [Task<Void, Never>] = []
    /// The number of starts and stops, to detect one during an outage.
    private var commandCount = 0
    /// The last change. Each change waits for the one before it.
    private var lastChange: Task<Void, any Error>?

    init(_ handler: RequestHandler, ports: [(port: ReservedPort, certificate: TLSCertificate?)]) {
        self.handler = handler
        self.ports = ports
    }

    func start() async throws {
        commandCount += 1
        try await change { try await $0.listen() }
    }

    func stop() async throws {
        commandCount += 1
        try await change { await $0.close() }
    }

    private func change(_ body: @escaping @Sendable (ServerGroup) async throws -> Void) async throws {
        let before = lastChange
        let task = Task {
            _ = await before?.result
            try await body(self)
        }
        lastChange = task
        try await task.value
    }

    private func listen() async throws {
        guard tasks.isEmpty else { return }
        let listeners = try ports.map { try Listener(port: $0.port, certificate: $0.certificate) }
        let beginOutage: @Sendable (Duration) -> Void = { [weak self] time in
            Task { [weak self] in await self?.beginOutage(for: time) }
        }
        tasks = listeners.map { [handler] listener in
            Task(executorPreference: NetworkThread.faultServers) {
                await listener.run(handler, beginOutage: beginOutage)
            }
        }
    }

    private func close() async {
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        tasks = []
    }

    private func beginOutage(for time: Duration) async {
        commandCount += 1
        let command = commandCount
        guard (try? await change({ await $0.close() })) != nil, (try? await handler.sleep(time)) != nil else { return }
        // A start or stop during the outage has priority.
        guard commandCount == command else { return }
        try? await start()
    }

    deinit { for task in tasks { task.cancel() } }
}
