#if Systemd
import DBus
import Foundation
import TestSupport
import Testing

/// Calls over a bus, and the end of connections.
@MainActor
@Suite struct DBusConnectionTests {
    private static let interface = "org.example.Echo"

    @Test func valuesComeBackAsTheyWere() async throws {
        let bus = try await PrivateBus()
        let logind = try await Desktop.logind(on: bus)
        let values: [DBusValue] = [
            .bool(true), .uint32(5), .int64(.min), .double(0.1), .string("ü"), .objectPath("/a/_32"), .strings([]),
            .strings(["a", ""]),
            .dictionary(["on": .bool(false), "list": .array(of: "u", [.uint32(1), .uint32(2)])]),
            .structure([.string("x"), .array(of: "(uu)", [.structure([.uint32(1), .uint32(2)])])]),
        ]
        for value in values {
            let type = value.signature
            try await logind.answer("Echo", of: Self.interface, type, type, with: "ret = args[0]")
            #expect(try await logind.call("Echo", [value], of: Self.interface) == [value])
        }
        let all = values.map(\.signature).joined()
        try await logind.answer("EchoAll", of: Self.interface, all, all, with: "ret = args")
        #expect(try await logind.call("EchoAll", values, of: Self.interface) == values)
    }

    @Test func aValueOfAnUnusedTypeIsSkipped() async throws {
        let bus = try await PrivateBus()
        let logind = try await Desktop.logind(on: bus)
        try await logind.answer("Many", of: Self.interface, "", "ynqitgau", with: "ret = 1, 2, 3, 4, 5, 'as', [6]")
        let others = "ynqitg".map { DBusValue.other(type: String($0)) }
        let values = try await logind.call("Many", [], of: Self.interface)
        #expect(values == others + [.array(of: "u", [.uint32(6)])])
        await #expect(throws: DBusError.self) { try await logind.call("Many", others, of: Self.interface) }
    }

    @Test func whatAnotherProgramSaysWentWrongIsAnError() async throws {
        let bus = try await PrivateBus()
        let call = DBusCall("org.example.Nobody", path: "/", interface: Self.interface, "Anything")
        let error = await #expect(throws: DBusError.self) { try await bus.client.call(call) }
        #expect(error?.name == "org.freedesktop.DBus.Error.ServiceUnknown")
    }

    @Test func whatCannotBeSaidIsAnError() async throws {
        let bus = try await PrivateBus()
        for call in [
            DBusCall("org.example.Nobody", path: "no path", interface: Self.interface, "Anything"),
            DBusCall("", path: "/", interface: Self.interface, "Anything"),
            DBusCall(
                "org.example.Nobody", path: "/", interface: Self.interface, "Anything",
                [.array(of: "s", [.bool(true)])]),
            DBusCall(
                "org.example.Nobody", path: "/", interface: Self.interface, "Anything", [.objectPath("no path")]),
        ] {
            let error = await #expect(throws: DBusError.self) { try await bus.client.call(call) }
            #expect(error?.message == "Invalid argument" || error?.message == "No such device or address")
        }
    }

    @Test func callsEndWithTheirConnection() async throws {
        let bus = try await PrivateBus()
        let logind = try await Desktop.logind(on: bus)
        try await logind.answer("Wait", of: Self.interface, "", "", with: "time.sleep(5)")
        let call = DBusCall("org.freedesktop.login1", path: logind.path, interface: Self.interface, "Wait")
        let connection = DBusConnection(address: bus.address) { _ in Issue.record("it was closed, not lost") }
        let reply = await withCheckedContinuation { continuation in
            connection.call(call) { continuation.resume(returning: $0) }
            connection.close()
        }
        #expect(
            throws: DBusError(name: "org.freedesktop.DBus.Error.Disconnected", message: "the connection was closed")
        ) {
            try reply.get()
        }
        await #expect(throws: DBusError.self) { try await connection.call(call) }
    }

    @Test func aBusThatEndsIsLostOnce() async throws {
        let bus = try await PrivateBus()
        let (losses, loss) = AsyncStream<DBusError>.makeStream()
        let connection = DBusConnection(address: bus.address) { loss.yield($0) }
        let id = DBusCall("org.freedesktop.DBus", path: "/", interface: "org.freedesktop.DBus", "GetId")
        #expect(try await connection.call(id).first?.string?.isEmpty == false)
        bus.end()
        var iterator = losses.makeAsyncIterator()
        #expect(await iterator.next()?.message == "Connection reset by peer")
        await #expect(throws: DBusError.self) { try await connection.call(id) }
        loss.finish()
        #expect(await iterator.next() == nil)
    }
}
#endif
