import APNSProvider
import COpenSSL
import Testing

@testable import TLSSession

/// A way in which a server breaks TCP or TLS, and what becomes of the notification that is sent to it.
struct HostileTLSCase: Sendable, CustomTestStringConvertible {
    let name: String
    let script: @Sendable (HostileCredentials) throws -> HostileListener.Script
    let ending: Ending
    var usesCertificate = false

    var testDescription: String { name }

    init(
        _ name: String, _ ending: Ending, usesCertificate: Bool = false,
        _ script: @escaping @Sendable (HostileCredentials) throws -> HostileListener.Script
    ) {
        self.name = name
        self.ending = ending
        self.usesCertificate = usesCertificate
        self.script = script
    }

    private static let lost = "before the answer came; the notification may have been delivered"

    private static func failed(_ message: String, _ bound: Ending.Bound = .atOnce) -> Ending {
        Ending(.unsent(.connectionFailed), message, bound, kept: false)
    }

    private static func unknown(_ message: String) -> Ending {
        Ending(.unknown(.connectionLost), "\(message) \(lost)", kept: false)
    }

    private static let notTLS = failed(
        "the server does not speak TLS (it may be a plain HTTP port); check host and port")
    private static let tooLong = failed("the TLS handshake took too long", .connectTimeout)

    /// Of a server that closes TCP. With bytes that it has not read, the system resets the connection.
    private static let closed = "the peer closed the connection / the connection broke: …"

    static let all = tcp + certificates + handshakes + records

    static let tcp: [HostileTLSCase] = [
        HostileTLSCase("accepts and closes", failed(closed)) { _ in
            .init(onAccept: { $0.closeTCP() })
        },
        // The end may come before the sender knows that TCP is connected.
        HostileTLSCase("accepts and resets", failed("\(closed) / cannot connect to localhost:…")) { _ in
            .init(onAccept: { $0.reset() })
        },
        HostileTLSCase("accepts and sends nothing", tooLong) { _ in .init() },
        HostileTLSCase("HTTP/1.1 without TLS", notTLS) { _ in
            .init(onAccept: { $0.sendRaw(Array("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".utf8)) })
        },
        HostileTLSCase("HTTP/2 without TLS", notTLS) { _ in
            .init(onAccept: { $0.sendRaw(HostileServer.preface) })
        },
        HostileTLSCase("the greeting of an SSH server", notTLS) { _ in
            .init(onAccept: { $0.sendRaw(Array("SSH-2.0-OpenSSH_9.6\r\n".utf8)) })
        },
        HostileTLSCase("random bytes", notTLS) { _ in
            .init(onAccept: { $0.sendRaw((0..<200).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 99) }) })
        },
    ]

    static let certificates: [HostileTLSCase] = [
        HostileTLSCase(
            "a certificate that has expired",
            failed("the certificate of \"localhost\", or one above it, expired at 2001-…; renew it, or check the clock")
        ) { .init(tls: try $0.context(CertificateValidity(notBefore: 978_307_200, notAfter: 1_000_000_000))) },
        HostileTLSCase(
            "a certificate that is not valid yet",
            failed("the certificate of \"localhost\", or one above it, is not valid before …; check the clock")
        ) {
            .init(
                tls: try $0.context(
                    CertificateValidity(
                        notBefore: HostileCredentials.now + 86_400, notAfter: HostileCredentials.now + 172_800)))
        },
        HostileTLSCase(
            "a certificate for another host",
            failed(
                "the server's certificate is not for localhost but for push.example.com; "
                    + "use a name that it has, or a certificate that has the name")
        ) {
            .init(
                tls: try $0.context(
                    identity: $0.authority.server(host: "push.example.com", validity: HostileCredentials.valid)))
        },
        HostileTLSCase(
            "a certificate of another authority",
            failed(
                "the certificate of \"localhost\" is not trusted: …; trust the authority that issued it, or use a trusted certificate"
            )
        ) { _ in .init(tls: try HostileCredentials().context()) },
        HostileTLSCase(
            "a certificate that signs itself",
            failed(
                "the certificate of \"apns-toolkit development CA\" is not trusted: …; trust the authority that issued it, or use a trusted certificate"
            )
        ) { _ in
            let other = try HostileCredentials()
            return .init(tls: try other.context(identity: other.authority.identity))
        },
        HostileTLSCase(
            "a certificate for clients",
            failed(
                "the certificate of \"Apple Push Services: com.example.app\" is not trusted: …; trust the authority that issued it, or use a trusted certificate"
            )
        ) { .init(tls: try $0.context(identity: $0.client)) },
        HostileTLSCase(
            "wants a client certificate and gets none, TLS 1.3",
            failed("the peer wants a certificate and got none: …")
        ) { credentials in
            let context = try credentials.context()
            context.refuseClients()
            return .init(tls: context)
        },
        HostileTLSCase(
            "refuses the client's certificate, TLS 1.3",
            failed("the peer refused our certificate: certificate revoked"),
            usesCertificate: true
        ) { credentials in
            let context = try credentials.context()
            context.refuseClients()
            return .init(tls: context)
        },
        HostileTLSCase(
            "refuses the client's certificate, TLS 1.2",
            failed("the peer refused our certificate: certificate revoked"),
            usesCertificate: true
        ) { credentials in
            let context = try credentials.context(version: .tls12)
            context.refuseClients()
            return .init(tls: context)
        },
    ]

    static let handshakes: [HostileTLSCase] = [
        HostileTLSCase(
            "speaks http/1.1 only (ALPN)",
            failed("the server speaks none of the offered protocols; it must speak h2 (HTTP/2)")
        ) { .init(tls: try $0.context(alpn: ["http/1.1"])) },
        HostileTLSCase(
            "knows no ALPN", failed("the peer does not speak HTTP/2: ALPN did not agree on h2")
        ) { .init(tls: try $0.context { SSL_CTX_set_alpn_select_cb($0, nil, nil) }) },
        HostileTLSCase(
            "speaks TLS 1.1 only",
            failed("the two ends share no TLS version; both must allow TLS 1.2 or TLS 1.3")
        ) {
            .init(
                tls: try $0.context {
                    SSL_CTX_ctrl($0, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_VERSION), nil)
                    SSL_CTX_ctrl($0, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(TLS1_1_VERSION), nil)
                    SSL_CTX_set_cipher_list($0, "ALL:@SECLEVEL=0")
                })
        },
        HostileTLSCase(
            "has only ciphers that HTTP/2 forbids",
            failed("the peer ended the connection with the alert: handshake failure")
        ) {
            .init(
                tls: try $0.context(version: .tls12) { SSL_CTX_set_cipher_list($0, "ECDHE-ECDSA-AES128-SHA256") })
        },
        HostileTLSCase("half of a handshake, and then nothing", tooLong) { .init(tls: try $0.context(), limit: 200) },
        HostileTLSCase("half of a handshake, and then the end", failed(closed)) {
            .init(tls: try $0.context(), limit: 200, endsAtLimit: true)
        },
        HostileTLSCase("a handshake and answers one byte at a time", Ending(.accepted)) {
            .init(tls: try $0.context(), piece: 1)
        },
        HostileTLSCase("TLS 1.2 only", Ending(.accepted)) { .init(tls: try $0.context(version: .tls12)) },
    ]

    static let records: [HostileTLSCase] = [
        HostileTLSCase("RST after the handshake", unknown("the …connection…")) {
            .init(tls: try $0.context(), onHandshake: { $0.reset() })
        },
        HostileTLSCase("the end of TCP after the handshake", unknown("the …connection…")) {
            .init(tls: try $0.context(), onHandshake: { $0.closeTCP() })
        },
        HostileTLSCase("the end of TLS after the handshake", unknown("the peer closed the connection")) {
            .init(tls: try $0.context(), onHandshake: { $0.closeTLS() })
        },
        HostileTLSCase(
            "the end of TCP after the handshake, to a sender with a client certificate",
            failed(closed), usesCertificate: true
        ) { .init(tls: try $0.context(), onHandshake: { $0.closeTCP() }) },
        HostileTLSCase("RST after the request", unknown("the …connection…")) {
            .init(tls: try $0.context(), onRequest: { peer, _ in peer.reset() })
        },
        HostileTLSCase(
            "the end of TCP after the request, without close_notify", unknown("the …connection…")
        ) {
            .init(tls: try $0.context(), onRequest: { peer, _ in peer.closeTCP() })
        },
        HostileTLSCase("half-close of TCP after the request, no answer", unknown("the peer closed the connection")) {
            .init(tls: try $0.context(), onRequest: { peer, _ in peer.closeOutput() })
        },
        HostileTLSCase("half-close of TLS before the answer", unknown("the peer closed the connection")) {
            .init(
                tls: try $0.context(),
                onRequest: { peer, stream in
                    peer.closeTLS()
                    peer.sendRaw([0x17, 3, 3, 0, 4, 1, 2, 3, 4])
                })
        },
        HostileTLSCase("the answer, and at once the end of TCP", Ending(.accepted, kept: false)) {
            .init(
                tls: try $0.context(),
                onRequest: { peer, stream in
                    peer.send(WireFrame.answer(stream))
                    peer.closeTCP()
                })
        },
        HostileTLSCase("a TLS alert after the request", unknown("the peer ended the connection with the alert: …")) {
            .init(tls: try $0.context(), onRequest: { peer, _ in peer.sendAlert() })
        },
        HostileTLSCase(
            "plain text after the handshake",
            unknown("the peer or something on the way broke the TLS protocol: …; reconnect")
        ) {
            .init(
                tls: try $0.context(),
                onHandshake: { $0.sendRaw(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)) })
        },
        HostileTLSCase(
            "a record that was changed on the way",
            unknown("the peer or something on the way broke the TLS protocol: …; reconnect")
        ) {
            .init(
                tls: try $0.context(),
                onHandshake: { $0.sendRaw([23, 3, 3, 0, 32] + [UInt8](repeating: 1, count: 32)) })
        },
        HostileTLSCase(
            "a record of 65,535 bytes",
            unknown("the peer or something on the way broke the TLS protocol: …; reconnect")
        ) {
            .init(
                tls: try $0.context(),
                onHandshake: { $0.sendRaw([23, 3, 3, 255, 255] + [UInt8](repeating: 1, count: 65535)) })
        },
        HostileTLSCase("half of a record, and then the end of TCP", unknown("the …connection…")) {
            .init(
                tls: try $0.context(),
                onRequest: { peer, _ in
                    peer.sendRaw([23, 3, 3, 0, 32, 1, 2])
                    peer.closeTCP()
                })
        },
        HostileTLSCase(
            "asks for renegotiation, TLS 1.2",
            unknown("the peer ended the connection with the alert: handshake failure")
        ) {
            .init(
                tls: try $0.context(version: .tls12) { SSL_CTX_clear_options($0, UInt64(1) << 30) },
                onHandshake: { peer in
                    peer.withSession {
                        SSL_renegotiate($0)
                        SSL_do_handshake($0)
                    }
                    peer.perform(peer.server.opening)
                },
                // An answer could come before the alert.
                onRequest: { _, _ in })
        },
        HostileTLSCase("1,000 KeyUpdates, and then the answer", Ending(.accepted)) {
            .init(
                tls: try $0.context(),
                onHandshake: { peer in
                    for _ in 0..<1000 {
                        peer.withSession {
                            SSL_key_update($0, SSL_KEY_UPDATE_NOT_REQUESTED)
                            SSL_do_handshake($0)
                        }
                    }
                    peer.perform(peer.server.opening)
                })
        },
    ]
}
