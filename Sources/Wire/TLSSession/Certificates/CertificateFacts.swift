/// The contents of a certificate. Whether they are true is the result of the verification.
package struct CertificateFacts: Hashable, Sendable {
    package var commonName: String?
    /// The subject's UID (0.9.2342.19200300.100.1.1): in a push certificate the bundle id and default topic.
    package var userID: String?
    /// The subject's first OU: in a push certificate the team id.
    package var organizationalUnit: String?
    /// The issuer's common name.
    package var issuerName: String?
    /// The issuer's first O.
    package var issuerOrganization: String?
    /// Seconds since 1970-01-01 UTC. A time that cannot be read is `Int64.max` here and `Int64.min` in `notAfter`, so that
    /// the certificate is never valid.
    package var notBefore: Int64
    package var notAfter: Int64
    /// Upper-case hexadecimal digits.
    package var serial: String
    /// DNS names and IP addresses of the subject alternative name.
    package var names: [String]
    /// In dotted form, in the order of the certificate.
    package var extensionOIDs: [String]
    /// The topics of extension 1.2.840.113635.100.6.3.6; empty when it is absent or malformed.
    package var topics: [CertificateTopic]
    /// Whether the extension is present but does not have the form in docs/reference/apns.md 5.
    package var hasMalformedTopics: Bool
    /// SHA-256 of the DER form, as 64 lower-case hexadecimal digits.
    package var fingerprint: String

    package var allowsSandbox: Bool { extensionOIDs.contains(CertificateFacts.sandboxOID) }
    package var allowsProduction: Bool { extensionOIDs.contains(CertificateFacts.productionOID) }
    package var isVoIP: Bool { extensionOIDs.contains(CertificateFacts.voipOID) }

    package static let sandboxOID = "1.2.840.113635.100.6.3.1"
    package static let productionOID = "1.2.840.113635.100.6.3.2"
    package static let voipOID = "1.2.840.113635.100.6.3.4"
    package static let topicsOID = "1.2.840.113635.100.6.3.6"

    /// The name of the certificate in messages.
    var displayName: String {
        TLSError.quotable((commonName ?? names.first).map { "\"\($0)\"" } ?? "serial number \(serial)")
    }
}
