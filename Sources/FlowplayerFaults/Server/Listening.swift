/// The listeners of a server, which come and go together.
actor Listening {
    private let site: Site
    /// Without certificate, the plain one.
    private let ports: [(port: ReservedPort, certificate: TLSCertificate?)]
    private var tasks: [Task<Void, Never>] = []
    /// How often somebody has started or stopped it.
    private var orders = 0
    /// One change after another.
    private var last: Task<Void, any Error>?

    init(_ site: Site, ports: [(port: ReservedPort, certificate: TLSCertificate?)]) {
        self.site = site
        self.ports = ports
    }

    func start() async throws {
        orders += 1
        try await change { try await $0.listen() }
    }

    func stop() async throws {
        orders += 1
        try await change { await $0.close() }
    }

    private func change(_ body: @escaping @Sendable (Listening) async throws -> Void) async throws {
        let before = last
        let task = Task {
            _ = await before?.result
            try await body(self)
        }
        last = task
        try await task.value
    }

    private func listen() async throws {
        guard tasks.isEmpty else { return }
        var listeners: [Listener] = []
        for (port, certificate) in ports {
            listeners.append(try await Listener(port: port.number, certificate: certificate))
        }
        let goDown: @Sendable (Duration) -> Void = { [weak self] time in
            Task { [weak self] in await self?.goDown(for: time) }
        }
        tasks = listeners.map { [site] listener in Task { await listener.run(site, goDown: goDown) } }
    }

    private func close() async {
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        tasks = []
    }

    private func goDown(for time: Duration) async {
        orders += 1
        let order = orders
        guard (try? await change({ await $0.close() })) != nil, (try? await site.sleep(time)) != nil else { return }
        // Whoever stops it meanwhile wants it to stay so.
        guard orders == order else { return }
        try? await start()
    }

    deinit { for task in tasks { task.cancel() } }
}
