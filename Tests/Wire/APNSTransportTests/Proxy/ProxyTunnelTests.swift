import Foundation
import NIOCore
import NIOPosix
import ProxyTestSupport
import Synchronization
import TLSSession
import TestSupport
import Testing

@testable import APNSTransport

/// Connections through a proxy on a loopback port.
@Suite(.timeLimit(.minutes(10))) struct ProxyTunnelTests {
    private typealias Server = TransportTests.Server
    private typealias Recorder = TransportTests.Recorder

    private static func with(
        _ script: @escaping @Sendable (String) -> TestProxy.Answer = { _ in .tunnel() },
        _ body: (TransportTests.Server, TestProxy) async throws -> Void
    ) async throws {
        let server = try await Server()
        try await TestProxy.with(script) { try await body(server, $0) }
        try await server.stop()
    }

    /// The error of a connection that the proxy does not open.
    private static func error(
        timeout: TimeAmount = .seconds(10), _ script: @escaping @Sendable (String) -> TestProxy.Answer
    ) async throws -> TransportError? {
        var error: TransportError?
        try await with(script) { server, proxy in
            error = await #expect(throws: TransportError.self) {
                try await server.connect(
                    proxy: TransportProxy(host: "localhost", port: proxy.port), timeout: timeout, Recorder())
            }
            #expect(error?.detail.contains("the proxy localhost:\(proxy.port)") == true, "\(error?.detail ?? "")")
        }
        return error
    }

    @Test func `a request goes through the tunnel, to the host that is asked for`() async throws {
        try await Self.with { server, proxy in
            let client = Recorder()
            try await server.connect(
                body: [UInt8](repeating: 7, count: 60_000),
                proxy: TransportProxy(host: "127.0.0.1", port: proxy.port, authorization: "Basic YTpi"), client)
            #expect(await client.next() == "opened")
            #expect(await server.recorder.next() == "opened")
            #expect(await server.recorder.next() == "end 60000")
            #expect(await client.next() == "end 0")
            let target = "127.0.0.1:\(server.port)"
            #expect(
                proxy.heads == [
                    "CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\nProxy-Authorization: Basic YTpi\r\n\r\n"
                ])
        }
    }

    @Test func `an answer in single bytes opens the tunnel`() async throws {
        let head = "HTTP/1.0 200\r\nVia: 1.1 proxy\r\n\r\n"
        try await Self.with({ _ in .tunnel(head: head, pieces: 1) }) { server, proxy in
            let client = Recorder()
            try await server.connect(proxy: TransportProxy(host: "127.0.0.1", port: proxy.port), client)
            #expect(await client.next() == "opened")
            #expect(await client.next() == "end 0")
        }
    }

    /// The TLS of a proxy for this name, and what trusts it.
    private static func security(_ name: String) throws -> (server: TLSContext, client: TLSContext) {
        let validity = CertificateValidity(days: 2, from: Int64(Date().timeIntervalSince1970))
        let authority = try DevelopmentAuthority(validity: validity)
        let server = try TLSContext.server(
            identity: try authority.server(host: name, validity: validity), clientTrust: nil,
            requestsClientCertificate: false, alpn: ["http/1.1"])
        let client = try TLSContext.client(
            trust: .certificates(pem: try authority.certificatePEM), identity: nil, alpn: [])
        return (server, client)
    }

    @Test func `TLS with the gateway goes through TLS with the proxy`() async throws {
        let security = try Self.security("localhost")
        let server = try await Server()
        try await TestProxy.with(tls: security.server, { _ in .tunnel(pieces: 1) }) { proxy in
            let client = Recorder()
            try await server.connect(
                body: [UInt8](repeating: 7, count: 60_000),
                proxy: TransportProxy(
                    host: "localhost", port: proxy.port, authorization: "Basic YTpi", tls: security.client), client)
            #expect(await client.next() == "opened")
            #expect(await server.recorder.next() == "opened")
            #expect(await server.recorder.next() == "end 60000")
            #expect(await client.next() == "end 0")
            #expect(proxy.heads.first?.contains("\r\nProxy-Authorization: Basic YTpi\r\n") == true)
        }
        #expect(await server.recorder.next() == "closed closedByPeer")
        try await server.stop()
    }

    /// The error of a proxy over TLS.
    private static func error(
        certificateFor name: String, trusts: Bool = true,
        _ script: @escaping @Sendable (String) -> TestProxy.Answer = { _ in .tunnel() }
    ) async throws -> TransportError? {
        let security = try security(name)
        let client = trusts ? security.client : try Self.security(name).client
        let server = try await Server()
        var error: TransportError?
        try await TestProxy.with(tls: security.server, script) { proxy in
            error = await #expect(throws: TransportError.self) {
                try await server.connect(
                    proxy: TransportProxy(
                        host: "localhost", port: proxy.port, authorization: "Basic YTpi", tls: client),
                    Recorder())
            }
            #expect(error?.detail.contains("the proxy localhost:\(proxy.port)") == true, "\(error?.detail ?? "")")
            if error?.isPermanent == true, !trusts || name != "localhost" {
                #expect(proxy.heads.isEmpty, "credentials were sent to a proxy that was not verified")
            }
        }
        try await server.stop()
        return error
    }

    @Test func `a proxy whose certificate is not trusted gets no request and no credentials`() async throws {
        let foreign = try await Self.error(certificateFor: "localhost", trusts: false)
        #expect(foreign?.code == .connectFailed && foreign?.isPermanent == true)
        #expect(foreign?.detail.contains("is not trusted") == true, "\(foreign?.detail ?? "")")
        let other = try await Self.error(certificateFor: "other.example")
        #expect(other?.code == .connectFailed && other?.isPermanent == true)
        #expect(other?.detail.contains("is not for localhost but for other.example") == true)
    }

    @Test func `a proxy over TLS that wants other credentials is named, with its status`() async throws {
        let error = try await Self.error(certificateFor: "localhost") { _ in
            .text("HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n")
        }
        #expect(error?.isPermanent == true)
        #expect(error?.detail.hasSuffix("does not accept the user and the password (status 407)") == true)
    }

    @Test func `a proxy that does not speak TLS is left after the time limit`() async throws {
        let security = try Self.security("localhost")
        try await Self.with { server, proxy in
            let error = await #expect(throws: TransportError.self) {
                try await server.connect(
                    proxy: TransportProxy(host: "localhost", port: proxy.port, tls: security.client),
                    timeout: .seconds(3), Recorder())
            }
            // It waits for the end of a request, which never comes.
            #expect(error?.detail.hasSuffix("gave no answer in time") == true, "\(error?.detail ?? "")")
        }
    }

    @Test func `a proxy over TLS that closes before it answers is named`() async throws {
        let error = try await Self.error(certificateFor: "localhost") { _ in .close }
        #expect(error?.code == .connectFailed && error?.isPermanent == false, "\(error?.detail ?? "")")
    }

    @Test func `the certificate must have the name of the gateway, whatever the proxy connects to`() async throws {
        let server = try await Server()
        let port = server.port
        try await TestProxy.with({ _ in .tunnel(port: port) }) { proxy in
            let client = Recorder()
            try await server.connect(
                host: "api.push.apple.com", proxy: TransportProxy(host: "127.0.0.1", port: proxy.port), client)
            #expect(proxy.heads.first?.hasPrefix("CONNECT api.push.apple.com:\(port) ") == true)
            #expect(await client.next() == "closed handshakeFailed")
            #expect(client.detail.withLock { $0 }.contains("api.push.apple.com"), "\(client.detail.withLock { $0 })")
        }
        try await server.stop()
    }

    @Test func `what comes with the head belongs to the tunnel`() async throws {
        // Not TLS, so that the connection that gets it ends.
        try await Self.with({ _ in .text("HTTP/1.1 200 OK\r\n\r\nnot TLS at all") }) { server, proxy in
            let client = Recorder()
            try await server.connect(proxy: TransportProxy(host: "127.0.0.1", port: proxy.port), client)
            #expect(await client.next() == "closed handshakeFailed")
        }
    }

    @Test func `a proxy that refuses is named, with its status`() async throws {
        let error = try await Self.error { _ in .text("HTTP/1.1 403 Filtered\r\n\r\nno") }
        #expect(error?.code == .connectFailed && error?.isPermanent == true)
        #expect(error?.detail.hasSuffix(": it answered 403 Filtered") == true)
    }

    @Test func `a proxy that cannot reach the gateway is no permanent fault`() async throws {
        let error = try await Self.error { _ in .tunnel(port: 1) }
        #expect(error?.code == .connectFailed && error?.isPermanent == false)
        #expect(error?.detail.hasSuffix(": it answered 502 Bad Gateway") == true)
    }

    @Test func `a proxy that closes before it answers is named`() async throws {
        let error = try await Self.error { _ in .close }
        #expect(error?.code == .connectFailed && error?.isPermanent == false)
        #expect(error?.detail.hasSuffix("closed the connection before it answered") == true)
    }

    @Test func `a proxy that answers nothing is left after the time limit`() async throws {
        let error = try await Self.error(timeout: .milliseconds(200)) { _ in .silence }
        #expect(error?.code == .connectFailed && error?.isPermanent == false)
        // On a slow machine TCP may take the whole time.
        #expect(error?.detail.hasSuffix("no answer in time") == true)
    }

    @Test func `a proxy that is not there is named`() async throws {
        let server = try await Server()
        let port = try HeldPort()
        let error = await #expect(throws: TransportError.self) {
            try await server.connect(proxy: TransportProxy(host: "127.0.0.1", port: port.number), Recorder())
        }
        #expect(
            error?.detail
                == "cannot connect to the proxy 127.0.0.1:\(port.number): connection refused, nothing listens there")
        try await server.stop()
    }
}
