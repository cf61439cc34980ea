import APNSModel
import TLSSession

/// Names in certificates, for messages.
enum CertificateText {
    private static let limit = 80

    static func name(_ certificate: CertificateFacts) -> String {
        ShownText.quoted(
            certificate.commonName ?? certificate.names.first ?? "serial number \(certificate.serial)", to: limit)
    }

    /// The organization and the common name of the issuer.
    static func issuer(_ certificate: CertificateFacts) -> String {
        let parts = [certificate.issuerOrganization, certificate.issuerName].compactMap(\.self)
        return parts.isEmpty ? "an issuer without a name" : ShownText.quoted(parts.joined(separator: ", "), to: limit)
    }
}
