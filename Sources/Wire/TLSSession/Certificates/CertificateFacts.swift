/// What a certificate says, copied out of it. Whether it is true is for the verification to say.
package struct CertificateFacts: Hashable, Sendable {
    package var commonName: String?
    /// The subject's UID (0.9.2342.19200300.100.1.1): in a push certificate the bundle id and default topic.
    package var userID: String?
    /// The subject's first OU: in a push certificate the team id.
    package var organizationalUnit: String?
    /// Seconds since 1970-01-01 UTC. A time that cannot be read makes the certificate never valid: `Int64.max` here,
    /// and `Int64.min` for `notAfter`.
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
    /// The extension is there, but is not what docs/reference/apns.md section 5 describes.
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

    /// The name by which a message speaks of the certificate.
    var displayName: String {
        TLSError.quotable((commonName ?? names.first).map { "\"\($0)\"" } ?? "serial number \(serial)")
    }
}
