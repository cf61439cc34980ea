import TLSSession

@testable import Doctor

extension CheckCase {
    static let clocks: [CheckCase] = [
        .init("clock-plausible", "1970", .fail, "1970-01-01 00:01:00 UTC") { $0.clock.change { $0.now = 60 } },
        .init("clock-plausible", "the far future", .fail, "2099") { $0.clock.change { $0.now = 4_080_000_000 } },
        .init("clock-synchronized", "nothing keeps it", .warn, "timedatectl") {
            $0.clock.change { $0.kernel?.isSynchronized = false }
        },
        .init("clock-synchronized", "a large error", .warn, "wrong by 7 s") {
            $0.clock.change { $0.kernel?.maximumError = 7_000_000 }
        },
        .init("clock-synchronized", "a system that says nothing", .skip, "does not say") {
            $0.clock.change { $0.kernel = nil }
        },
        .init("clock-offset", "30 s ahead", .pass, "30 s ahead of") { $0.setOffset(30) },
        .init("clock-offset", "five minutes behind", .warn, "5 min behind") { $0.setOffset(-300) },
        .init("clock-offset", "two hours ahead", .fail, "2 h ahead of") { $0.setOffset(7_200) },
        .init("clock-offset", "a year behind", .fail, "365 days behind") { $0.setOffset(-365 * 86_400) },
        .init("clock-offset", "a certificate of another time", .fail, "not valid before") {
            $0.date.change { $0.answer = .certificateOutOfTime("it is not valid before 2026") }
        },
        .init("clock-offset", "not asked", .skip, "no Date") { $0.date = .unseen("the gateway sends no Date") },
    ]

    static let routes: [CheckCase] = [
        .init("proxy", "an address that is none", .fail, "has no port") {
            $0.proxy = .seen(.unusable("the proxy has no port"))
        },
        .init("proxy", "a tunnel", .pass, "opened a tunnel to port 443") {
            $0.proxy = .seen(.proxy(name: "proxy:3128"))
        },
        .init("proxy", "a refusal", .fail, "status 407") {
            $0.proxy = .seen(.proxy(name: "proxy:3128"))
            $0.connection.change {
                $0.attempts = [PortAttempt(port: 443, failure: "the proxy wants a password (status 407)")]
            }
        },
        .init("proxy", "not tried", .skip, "no connection was tried") {
            $0.proxy = .seen(.proxy(name: "proxy:3128"))
            $0.connection = .unseen("x")
        },
        .init("dns", "no answer", .fail, "Name or service not known") {
            $0.names.change { $0.failure = "Name or service not known" }
        },
        .init("dns", "no address", .fail, "has no address") { $0.names.change { $0.addresses = [] } },
        .init("dns", "many addresses", .pass, "and 2 more") {
            $0.names.change { $0.addresses = (1...6).map { .init("17.0.0.\($0)", isIPv6: false, hasRoute: true) } }
        },
        .init("ipv6", "IPv4 alone", .pass, "by IPv4, and none by IPv6, which is not needed") {
            $0.names.change { $0.addresses[1].hasRoute = false }
        },
        .init("ipv6", "no route at all", .fail, "no route to any address of the host (IPv4, IPv6)") {
            $0.names.change { for index in $0.addresses.indices { $0.addresses[index].hasRoute = false } }
        },
        .init("port", "refused", .fail, "connection refused") {
            $0.connection.change { $0.attempts = [PortAttempt(port: 443, failure: "connection refused")] }
        },
        .init("port", "refused by APNs' host", .fail, "allow TCP to *.push.apple.com") {
            $0.connection.change { $0.attempts = [PortAttempt(port: 443, failure: "connection refused")] }
        },
        .init("port", "refused by another gateway's", .fail, "look whether the gateway localhost runs") {
            $0.connection.change {
                $0.destination = Destination(host: "localhost", port: 8443)
                $0.attempts = [PortAttempt(port: 8443, failure: "connection refused")]
            }
        },
        .init("port", "a host that is not found", .skip, "the host has no address") { $0.loseHost() },
        .init("other-port", "a host that is not found", .skip, "the host has no address") { $0.loseHost() },
        .init("port", "another gateway's", .pass, "port 8443 is open") {
            $0.connection.change { $0.attempts = [PortAttempt(port: 8443)] }
        },
        .init("other-port", "open where the first is not", .warn, "send to https://api.push.apple.com:2197") {
            $0.connection.change {
                $0.attempts = [PortAttempt(port: 443, failure: "no answer in time"), PortAttempt(port: 2197)]
            }
        },
        .init("other-port", "closed too", .fail, "no answer in time") {
            $0.connection.change {
                $0.attempts = [443, 2197].map { PortAttempt(port: $0, failure: "no answer in time") }
            }
        },
        .init("other-port", "not needed", .skip, "--gateway https://api.push.apple.com:2197") { _ in },
        .init("other-port", "a gateway", .skip, "only APNs has the ports") {
            $0.connection.change { $0.destination = Destination(host: "localhost", port: 8443) }
        },
    ]

    private static func failed(_ code: TLSError.Code?, _ detail: String) -> (inout DoctorEvidence) -> Void {
        {
            $0.connection.change {
                $0.tls?.failure = .init(code, detail)
                $0.tls?.version = nil
                $0.http2 = nil
            }
        }
    }

    static let tls: [CheckCase] = [
        .init(
            "tls-handshake", "plain HTTP", .fail, "does not speak TLS", failed(.notTLS, "the server does not speak TLS")
        ),
        .init(
            "tls-handshake", "TLS 1.1", .fail, "no TLS version", failed(.protocolVersion, "they share no TLS version")),
        .init("tls-handshake", "silence", .fail, "took too long", failed(nil, "the TLS handshake took too long")),
        .init("tls-handshake", "an untrusted certificate", .pass, "tls-chain", failed(.certificateNotTrusted, "x")),
        .init("tls-handshake", "no TCP", .skip, "no TCP") { $0.connection.change { $0.tls = nil } },
        .init("tls-chain", "untrusted", .fail, "ca-certificates", failed(.certificateNotTrusted, "is not trusted")),
        .init("tls-chain", "expired", .fail, "layer clock", failed(.certificateExpired, "expired at 2001")),
        .init("tls-chain", "not valid yet", .fail, "layer clock", failed(.certificateNotYetValid, "not valid before")),
        .init("tls-chain", "another name", .fail, "--gateway", failed(.hostNameMismatch, "is for other.example.com")),
        .init("tls-chain", "silence", .skip, "no certificate", failed(nil, "too long")),
        .init("tls-chain", "no ALPN", .skip, "before the certificate", failed(.noSharedProtocol, "x")),
        .init(
            "tls-issuer", "an interceptor that this machine trusts", .fail,
            "\"Acme, Acme Inspection CA\", and not by Apple"
        ) {
            $0.setIssuer("Acme", "Acme Inspection CA")
        },
        .init("tls-issuer", "an interceptor that --ca trusts", .warn, "--ca trusts") {
            $0.setIssuer("Acme", "Acme Inspection CA")
            $0.connection.change { $0.tls?.hasOwnAuthorities = true }
        },
        .init("tls-issuer", "an interceptor that nobody trusts", .fail, "intercepted") {
            $0.setIssuer(nil, "Acme Inspection CA")
            failed(.certificateNotTrusted, "x")(&$0)
        },
        .init("tls-issuer", "Apple's name in a certificate that nobody trusts", .skip, "not verified") {
            failed(.certificateNotTrusted, "x")(&$0)
        },
        .init("tls-issuer", "a gateway", .pass, "was issued by") {
            $0.connection.change { $0.destination = Destination(host: "localhost", port: 8443) }
        },
        .init("tls-issuer", "a gateway that is not trusted", .skip, "not verified") {
            $0.connection.change { $0.destination = Destination(host: "localhost", port: 8443) }
            failed(.certificateNotTrusted, "x")(&$0)
        },
        .init("alpn", "HTTP/1.1 alone", .fail, "h2", failed(.noSharedProtocol, "it must speak h2 (HTTP/2)")),
        .init("alpn", "no handshake", .skip, "did not come so far", failed(.notTLS, "x")),
        .init("http2", "GOAWAY at once", .fail, "GOAWAY Shutdown") {
            $0.connection.change { $0.http2 = HTTP2Evidence(goAway: "Shutdown", failure: "x") }
        },
        .init("http2", "no SETTINGS", .fail, "sent no SETTINGS") {
            $0.connection.change { $0.http2 = HTTP2Evidence(failure: "the other end sent no SETTINGS in time") }
        },
        .init("http2", "a limit of no stream", .fail, "no stream at all") {
            $0.connection.change { $0.http2 = HTTP2Evidence(streamLimit: 0) }
        },
        .init("http2", "no TLS", .skip, "no TLS") { $0.connection.change { $0.http2 = nil } },
    ]
}

extension DoctorEvidence {
    /// - Parameter seconds: How much the machine is ahead.
    fileprivate mutating func setOffset(_ seconds: Int64) {
        date.change {
            $0.answer = .date(server: DoctorEvidence.now, machine: DoctorEvidence.now + seconds, uncertainty: 2)
        }
    }

    fileprivate mutating func setIssuer(_ organization: String?, _ name: String) {
        connection.change {
            $0.tls?.chain[0].issuerOrganization = organization
            $0.tls?.chain[0].issuerName = name
        }
    }
}
