import FlowplayerFaults
import Foundation
import TestSupport
import Testing

@Suite struct TLSTests {
    private func get(_ server: FaultServer, _ plan: FaultPlan, trusting: Bool = true) async throws -> Curl {
        let authority = try await MediaFixtures.shared.bytes(
            "authority.pem", Data(FaultServer.certificateAuthority.utf8))
        let url = server.url(for: Clip.path, plan: plan)
        return trusting ? try await Curl.get(url, "--cacert", authority.path()) : try await Curl.get(url)
    }

    @Test func theKitsOwnAuthorityCanBeTrusted() async throws {
        let server = try await Clip.server()
        let plan = FaultPlan(.tls(.trusted))
        let result = try await get(server, plan)
        #expect(result.code == Curl.Code.fine)
        #expect(result.body == Clip.data)
        #expect(try await get(server, plan, trusting: false).code == Curl.Code.certificateRefused)
    }

    @Test(arguments: [TLSCertificate.selfSigned, .expired, .otherHost])
    func acertificateIsRefused(certificate: TLSCertificate) async throws {
        let server = try await Clip.server()
        let plan = FaultPlan(.tls(certificate))
        #expect(try await get(server, plan).code == Curl.Code.certificateRefused)
        #expect(server.requests.isEmpty)
        let careless = try await Curl.get(server.url(for: Clip.path, plan: plan), "--insecure")
        #expect(careless.body == Clip.data, "nothing else is wrong with it")
    }

    /// Each certificate fails for one reason only.
    @Test(arguments: [
        (TLSCertificate.selfSigned, "self-signed certificate"), (.expired, "certificate has expired"),
        (.otherHost, "IP address mismatch"),
    ])
    func theReasonIsTheOneThatIsMeant(certificate: TLSCertificate, reason: String) async throws {
        let server = try await Clip.server()
        let authority = try await MediaFixtures.shared.bytes(
            "authority.pem", Data(FaultServer.certificateAuthority.utf8))
        let url = server.url(for: Clip.path, fault: .tls(certificate))
        let result = try await Command(
            "openssl",
            [
                "s_client", "-connect", "127.0.0.1:\(try #require(url.port))", "-CAfile", authority.path(),
                "-verify_ip", "127.0.0.1", "-verify_return_error",
            ]
        ).run()
        #expect((result.output + result.errors).contains(reason), "\(result.output) \(result.errors)")
    }

    @Test func otherFaultsHappenBehindTheEncryption() async throws {
        let server = try await Clip.server()
        func get(_ fault: Fault) async throws -> Curl {
            try await self.get(server, FaultPlan(.tls(.trusted)).and(fault))
        }
        #expect(try await get(.status(404)).status == 404)
        let reset = try await get(.reset(.midBody))
        #expect(reset.code == Curl.Code.receiveFailed)
        #expect(reset.body.count <= Clip.size / 2)
        let redirect = try await get(.redirect)
        #expect(redirect.headers["location"]?.hasPrefix("https://127.0.0.1:") == true)
    }

    @Test func encryptedConnectionsAreClosedAtOnceWhenTheServerStops() async throws {
        let server = try await Clip.server()
        async let result = get(server, FaultPlan(.tls(.trusted)).and(.hang(.midBody)))
        _ = try await server.request { $0.bytesSent == 150_000 }
        await server.stop()
        #expect(try await result.code != Curl.Code.fine)
    }
}
