import TLSSession

extension DoctorCheck {
    static let tlsChain = DoctorCheck(
        id: "tls-chain", layer: .tls,
        summary: "The certificate of the other end is valid, has its name, and comes from a trusted authority.",
        cause: "The image has no CA certificates, a proxy replaces the certificate, or the clock is wrong.",
        next:
            "install the CA certificates of the system (Debian: ca-certificates); for a gateway of your own give --ca",
        subject: { $0.connection.flatMap { $0.tls.seen(or: "there is no TCP connection") } }
    ) { tls in
        guard let failure = tls.failure else {
            guard let leaf = tls.chain.first else {
                return .skip("the other end sent no certificate that could be looked at")
            }
            return .pass(
                "the certificate of \(CertificateText.name(leaf)) is valid until \(UTCDateText.text(leaf.notAfter)) and trusted"
            )
        }
        switch failure.code {
        case .certificateExpired, .certificateNotYetValid:
            return .fail(
                failure.detail,
                next:
                    "compare with the checks of the layer clock; if the clock is right, the certificate has to be renewed"
            )
        case .hostNameMismatch:
            return .fail(failure.detail, next: "check the host of --gateway, and what on the way answers in its place")
        case .certificateNotTrusted: return .fail(failure.detail)
        case .noSharedProtocol, .peerAlert:
            return .skip("the handshake ended before the certificate was judged")
        default: return .skip("the other end showed no certificate")
        }
    }
}
