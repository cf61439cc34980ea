internal import COpenSSL

/// A certificate authority for one machine. It issues the certificates of the gateway, its clients and the tests.
///
/// Certificates use P-256 with SHA-256, and have the key identifiers, key usages and names that strict verifiers demand
/// (RFC 5280 4.2).
package struct DevelopmentAuthority: Sendable {
    /// The authority's own certificate and key.
    package let identity: TLSIdentity

    /// Makes a new authority.
    package init(name: String = "apns-toolkit development CA", validity: CertificateValidity) throws(TLSError) {
        let builder = try CertificateBuilder(subject: [(NID_commonName, name)], validity: validity)
        try builder.add(NID_basic_constraints, "critical,CA:TRUE,pathlen:0", issuer: nil)
        try builder.add(NID_key_usage, "critical,keyCertSign,cRLSign", issuer: nil)
        try builder.add(NID_subject_key_identifier, "hash", issuer: nil)
        try builder.add(NID_authority_key_identifier, "keyid:always", issuer: nil)
        identity = try builder.signed(by: nil)
    }

    /// Uses an existing authority.
    package init(identity: TLSIdentity) throws(TLSError) {
        guard X509_check_ca(identity.storage.certificate.raw) == 1 else {
            throw TLSError(
                .badCertificate,
                "the certificate of \(identity.certificate.displayName) is not a certificate authority; pass the CA's own certificate"
            )
        }
        self.identity = identity
    }

    /// The certificate for `TLSTrust.certificates(pem:)`.
    package var certificatePEM: [UInt8] { get throws(TLSError) { try identity.certificatePEM } }

    /// A server certificate for localhost, names one level below it, 127.0.0.1, ::1 and `names`.
    ///
    /// - Parameter names: More DNS names and IP addresses. Many clients do not accept a wildcard directly below `localhost`.
    ///   For these, pass the full name here, or use a separate certificate (`server(host:)`).
    package func server(names: [String] = [], validity: CertificateValidity) throws(TLSError) -> TLSIdentity {
        var alternatives: [String] = []
        for name in ["localhost", "*.localhost", "127.0.0.1", "::1"] + names {
            let text = try DevelopmentAuthority.alternativeName(name)
            if !alternatives.contains(text) { alternatives.append(text) }
        }
        let builder = try CertificateBuilder(subject: [(NID_commonName, "localhost")], validity: validity)
        try addLeafExtensions(builder, usage: "serverAuth")
        try builder.add(NID_subject_alt_name, alternatives.joined(separator: ","), issuer: identity)
        return try builder.signed(by: identity)
    }

    /// Whether a server certificate can have this name; the error says what it is not.
    package static func check(name: String) throws(TLSError) {
        guard try alternativeName(name).hasPrefix("DNS:") else { return }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        let problem: String? =
            if labels.contains(where: \.isEmpty) {
                "it has a part without a character"
            } else if labels.contains(where: { $0.utf8.count > 63 }) {
                "a part of it has more than 63 characters"
            } else if labels.contains(where: { $0.hasPrefix("-") || $0.hasSuffix("-") }) {
                "a part of it begins or ends with a hyphen"
            } else if labels.count > 1, labels.last?.utf8.allSatisfy({ (0x30...0x39).contains($0) }) == true {
                "a name that ends in a number is read as an IP address, which it is not"
            } else {
                nil
            }
        if let problem { throw TLSError(.badServerName, "\"\(name)\" is not a host name: \(problem)") }
    }

    /// A server certificate for one host only. Clients that do not accept a wildcard directly below `localhost`, such as
    /// those of OpenSSL, accept it.
    package func server(host: String, validity: CertificateValidity) throws(TLSError) -> TLSIdentity {
        let builder = try CertificateBuilder(
            subject: [(NID_commonName, String(host.unicodeScalars.prefix(64)))], validity: validity)
        try addLeafExtensions(builder, usage: "serverAuth")
        let name = try DevelopmentAuthority.alternativeName(host)
        try builder.add(NID_subject_alt_name, name, issuer: identity)
        return try builder.signed(by: identity)
    }

    /// Whether it signed a certificate.
    package func hasSigned(_ other: TLSIdentity) -> Bool {
        defer { ERR_clear_error() }
        return X509_verify(other.storage.certificate.raw, identity.storage.key.raw) == 1
    }

    /// A push certificate as a provider uses it.
    package func client(_ request: PushCertificateRequest, validity: CertificateValidity) throws(TLSError)
        -> TLSIdentity
    {
        let commonName = String("Apple Push Services: \(request.bundleID)".unicodeScalars.prefix(64))
        var subject = [(NID_userId, request.bundleID), (NID_commonName, commonName)]
        if let teamID = request.teamID { subject.append((NID_organizationalUnitName, teamID)) }
        let builder = try CertificateBuilder(subject: subject, validity: validity)
        try addLeafExtensions(builder, usage: "clientAuth")
        let null: [UInt8] = [0x05, 0x00]
        if request.allowsSandbox { try builder.add(oid: CertificateFacts.sandboxOID, der: null) }
        if request.allowsProduction { try builder.add(oid: CertificateFacts.productionOID, der: null) }
        if request.isVoIP { try builder.add(oid: CertificateFacts.voipOID, der: null) }
        if !request.topics.isEmpty {
            guard request.topics.reduce(0, { $0 + $1.topic.utf8.count + $1.kind.utf8.count + 16 }) <= 0xffff else {
                throw TLSError(.badCertificate, "the topics of a certificate may have 64 KiB; pass fewer")
            }
            try builder.add(oid: CertificateFacts.topicsOID, der: CertificateTopic.encode(request.topics))
        }
        return try builder.signed(by: identity)
    }

    private func addLeafExtensions(_ builder: borrowing CertificateBuilder, usage: String) throws(TLSError) {
        try builder.add(NID_basic_constraints, "critical,CA:FALSE", issuer: identity)
        try builder.add(NID_key_usage, "critical,digitalSignature", issuer: identity)
        try builder.add(NID_ext_key_usage, usage, issuer: identity)
        try builder.add(NID_subject_key_identifier, "hash", issuer: identity)
        try builder.add(NID_authority_key_identifier, "keyid:always", issuer: identity)
    }

    /// The name in OpenSSL's configuration form. Only characters of host names and addresses are accepted: any other could
    /// end the entry and begin another.
    private static func alternativeName(_ name: String) throws(TLSError) -> String {
        if let address = a2i_IPADDRESS(name) {
            ASN1_OCTET_STRING_free(address)
            return "IP:\(name)"
        }
        ERR_clear_error()
        let isHostName = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "*"):
                true
            default: false
            }
        }
        guard isHostName, (1...253).contains(name.utf8.count) else {
            throw TLSError(
                .badServerName, "\"\(TLSError.quotable(name))\" is neither a host name in ASCII nor an IP address")
        }
        return "DNS:\(name)"
    }
}
