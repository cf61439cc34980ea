import APNSModel
import TLSSession

extension DoctorCheck {
    static let tlsIssuer = DoctorCheck(
        id: "tls-issuer", layer: .tls,
        summary: "The certificate of Apple's host was issued by Apple, and not by something that intercepts TLS.",
        cause: "A proxy, a firewall or a virus scanner opens TLS, and reads provider tokens and payloads.",
        next: "exempt *.push.apple.com from TLS inspection; Apple's certificates come from an issuer of Apple Inc.",
        subject: { evidence in
            evidence.connection.flatMap { connection in
                (connection.tls?.chain.first).map {
                    (leaf: $0, destination: connection.destination, tls: connection.tls)
                }
                .seen(or: "no certificate was seen")
            }
        }
    ) { leaf, destination, tls in
        let issuer = CertificateText.issuer(leaf)
        guard destination.environment != nil else {
            // Only a verified certificate says who issued it.
            guard tls?.failure == nil else {
                return .skip("\(destination.name) shows a certificate of \(issuer), which is not verified")
            }
            return .pass("the certificate of \(destination.name) was issued by \(issuer)")
        }
        guard leaf.issuerOrganization != "Apple Inc." else {
            // Anybody can write that name into a certificate that nobody trusts.
            guard tls?.failure == nil else {
                return .skip("the certificate names \(issuer) as its issuer, and is not verified")
            }
            return .pass("it was issued by \(issuer)")
        }
        let seen =
            "the certificate of \(destination.host) was issued by \(issuer), and not by Apple: TLS is intercepted"
        guard tls?.failure == nil else { return .fail(seen) }
        return tls?.hasOwnAuthorities == true
            ? .warn("\(seen), by an authority that --ca trusts")
            : .fail("\(seen), by an authority that this machine trusts")
    }
}
