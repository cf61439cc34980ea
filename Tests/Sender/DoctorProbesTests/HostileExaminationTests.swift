import APNSProvider
import COpenSSL
import Doctor
import Foundation
import ProxyTestSupport
import TestSupport
import Testing

@testable import DoctorProbes
@testable import TLSSession

/// Runs against servers that are no gateway.
@Suite(.timeLimit(.minutes(10))) struct HostileExaminationTests {
    private let authority: DevelopmentAuthority
    private let now = ExaminationSettings.machineSeconds

    init() throws { authority = try DevelopmentAuthority(validity: CertificateValidity(days: 2, from: now)) }

    /// - Parameter timeout: Short where it is waited for.
    private func settings(port: Int, timeout: Duration = .seconds(10)) throws -> ExaminationSettings {
        let now = now
        var settings = ExaminationSettings(
            identity: .none, gateway: APNSGateway(host: "localhost", port: port), now: { now })
        settings.trust = .authorities(pem: try authority.certificatePEM)
        settings.proxy = .none
        settings.timeout = timeout
        return settings
    }

    private func context(
        _ identity: TLSIdentity? = nil, alpn: [String] = ["h2"], _ change: (OpaquePointer) -> Void = { _ in }
    ) throws -> TLSContext {
        let valid = CertificateValidity(days: 2, from: now)
        let context = try TLSContext.server(
            identity: identity ?? authority.server(validity: valid), clientTrust: nil, alpn: alpn)
        change(context.handle.raw)
        return context
    }

    /// A run against the server, which gets one connection.
    private func failed(
        _ behaviour: FaultyServer.Behaviour, timeout: Duration = .seconds(10)
    ) async throws -> [String] {
        var failed: [String] = []
        try await FaultyServer.with(behaviour) { server in
            let examined = await Examined(try settings(port: server.port, timeout: timeout))
            failed = examined.failed.filter { $0 != "credentials-given" }
            #expect(examined["port"] == .pass)
            #expect(server.connections == 1, "APNs takes probing for an attack")
            #expect(examined.summary[.pass] + examined.summary[.fail] > 0)
            for check in ["identity", "key-environment", "push-accepted"] { #expect(examined[check] == .skip) }
        }
        return failed
    }

    @Test func `a closed port fails, and nothing behind it is judged`() async throws {
        let port = try HeldPort()
        let examined = await Examined(try settings(port: port.number))
        #expect(examined.failed == ["credentials-given", "port"])
        #expect(examined.message("port").contains("connection refused"))
        #expect(examined["tls-handshake"] == .skip && examined["http2"] == .skip && examined["other-port"] == .skip)
    }

    @Test func `a mute server, one that closes, and one without TLS fail the handshake`() async throws {
        #expect(try await failed(.mute, timeout: .seconds(3)) == ["tls-handshake"])
        #expect(try await failed(.closes) == ["tls-handshake"])
        #expect(try await failed(.plain("HTTP/1.1 400 Bad Request\r\n\r\n")) == ["tls-handshake"])
        #expect(try await failed(.plain("SSH-2.0-OpenSSH_9.6\r\n")) == ["tls-handshake"])
    }

    @Test func `old TLS fails the handshake`() async throws {
        let context = try context {
            SSL_CTX_ctrl($0, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_VERSION), nil)
            SSL_CTX_ctrl($0, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(TLS1_1_VERSION), nil)
            SSL_CTX_set_cipher_list($0, "ALL:@SECLEVEL=0")
        }
        #expect(try await failed(.tls(context, "")) == ["tls-handshake"])
    }

    @Test func `a server without HTTP/2 in ALPN, and one without ALPN, fail that`() async throws {
        #expect(try await failed(.tls(try context(alpn: ["http/1.1"]), "")) == ["alpn"])
        #expect(try await failed(.tls(try context { SSL_CTX_set_alpn_select_cb($0, nil, nil) }, "")) == ["alpn"])
    }

    @Test func `an expired, a future, a foreign and a misnamed certificate fail the chain`() async throws {
        let past = CertificateValidity(notBefore: 978_307_200, notAfter: 1_000_000_000)
        let future = CertificateValidity(notBefore: now + 86_400, notAfter: now + 172_800)
        let valid = CertificateValidity(days: 2, from: now)
        let other = try DevelopmentAuthority(validity: valid)
        for identity in [
            try authority.server(validity: past), try authority.server(validity: future),
            try other.server(validity: valid), try authority.server(host: "push.example.com", validity: valid),
        ] {
            #expect(try await failed(.tls(try context(identity), "")) == ["tls-chain"])
        }
    }

    @Test func `TLS without SETTINGS, and with something else than HTTP/2, fail that`() async throws {
        #expect(try await failed(.tls(try context(), ""), timeout: .seconds(3)) == ["http2"])
        #expect(try await failed(.tls(try context(), "HTTP/1.1 400 Bad Request\r\n\r\n")) == ["http2"])
    }

    @Test func `a name that does not exist fails, and is no fault of a port`() async throws {
        var settings = try settings(port: 443)
        settings.gateway = APNSGateway(host: "nothing.invalid", port: 443)
        let examined = await Examined(settings)
        #expect(examined["dns"] == .fail && examined["ipv6"] == .skip && examined["port"] == .skip)
    }

    @Test func `a proxy is used, and its refusal is told once`() async throws {
        try await FaultyServer.with(.mute) { server in
            try await TestProxy.with { proxy in
                var settings = try settings(port: server.port, timeout: .seconds(3))
                settings.proxy = .http(host: "127.0.0.1", port: proxy.port)
                let examined = await Examined(settings)
                #expect(examined["proxy"] == .pass && examined["dns"] == .skip)
                #expect(proxy.heads.count == 1)
            }
            try await TestProxy.with({ _ in .text("HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=\"x\"\r\n\r\n") })
            { proxy in
                var settings = try settings(port: server.port)
                settings.proxy = .http(
                    host: "127.0.0.1", port: proxy.port, credentials: ProxyCredentials(user: "u", password: "secret"))
                let examined = await Examined(settings)
                #expect(examined["proxy"] == .fail && examined["tls-handshake"] == .skip)
                #expect(proxy.heads.count == 1)
                #expect(!examined.results.contains { ($0.message + $0.next).contains("secret") })
            }
        }
    }
}
