import TLSSession

extension DoctorCheck {
    static let alpn = DoctorCheck(
        id: "alpn", layer: .tls,
        summary: "Both ends agree on HTTP/2 (ALPN h2).",
        cause: "A proxy that inspects TLS speaks only HTTP/1.1, or the address is of another service.",
        next: "exempt *.push.apple.com from TLS inspection; APNs speaks nothing but HTTP/2",
        subject: { $0.connection.flatMap { $0.tls.seen(or: "there is no TCP connection") } }
    ) { tls in
        guard let failure = tls.failure else { return .pass("both ends agreed on h2") }
        guard failure.code == .noSharedProtocol else { return .skip("the TLS handshake did not come so far") }
        return .fail(failure.detail)
    }
}
