import TLSSession

extension DoctorCheck {
    static let tlsHandshake = DoctorCheck(
        id: "tls-handshake", layer: .tls,
        summary: "The other end speaks TLS 1.2 or 1.3.",
        cause: "Something else listens there, or a firewall lets TCP through and swallows TLS.",
        next: "check host and port, and what on the way inspects TLS; APNs needs TLS 1.2 or later",
        subject: { $0.connection.flatMap { $0.tls.seen(or: "there is no TCP connection") } }
    ) { tls in
        guard let failure = tls.failure else {
            return .pass("\(tls.version ?? "TLS") with \(tls.cipher ?? "an unknown cipher")")
        }
        switch failure.code {
        case .certificateNotTrusted, .certificateExpired, .certificateNotYetValid, .hostNameMismatch:
            return .pass("the other end speaks TLS; tls-chain says why its certificate is not accepted")
        case .noSharedProtocol: return .pass("the other end speaks TLS; alpn says what is wrong")
        default: return .fail(failure.detail)
        }
    }
}
