internal import COpenSSL

extension CertificateFacts {
    /// The first certificate of a PEM text.
    package init(pem: [UInt8]) throws(TLSError) {
        self.init(try ChainHandle(pem: pem).certificate(at: 0))
    }

    init(_ certificate: borrowing CertificateHandle) { self.init(certificate.raw) }

    /// - Parameter raw: An `X509`, which is only read.
    init(_ raw: OpaquePointer) {
        defer { ERR_clear_error() }  // a certificate with unreadable parts leaves entries in the queue
        commonName = CertificateFacts.subjectEntry(raw, NID_commonName)
        userID = CertificateFacts.subjectEntry(raw, NID_userId)
        organizationalUnit = CertificateFacts.subjectEntry(raw, NID_organizationalUnitName)
        issuerName = CertificateFacts.text { COpenSSL_issuerEntry(raw, NID_commonName, $0) }
        issuerOrganization = CertificateFacts.text { COpenSSL_issuerEntry(raw, NID_organizationName, $0) }
        var seconds: Int64 = 0
        notBefore = COpenSSL_notBefore(raw, &seconds) == 1 ? seconds : .max
        notAfter = COpenSSL_notAfter(raw, &seconds) == 1 ? seconds : .min
        let digits = COpenSSL_serial(raw)
        defer { COpenSSL_free(digits) }
        serial = digits.map { String(cString: $0) } ?? ""
        names = CertificateFacts.alternativeNames(raw)
        let count = max(X509_get_ext_count(raw), 0)
        extensionOIDs = (0..<count).map { CertificateFacts.extensionOID(raw, $0) }
        topics = []
        hasMalformedTopics = false
        if let index = extensionOIDs.firstIndex(of: CertificateFacts.topicsOID) {
            let parsed = CertificateTopic.parse(der: CertificateFacts.extensionValue(raw, Int32(index)))
            topics = parsed ?? []
            hasMalformedTopics = parsed == nil
        }
        fingerprint = CertificateFacts.fingerprint(raw)
    }

    private static func subjectEntry(_ raw: OpaquePointer, _ nid: Int32) -> String? {
        text { COpenSSL_subjectEntry(raw, nid, $0) }
    }

    /// - Parameter entry: Returns bytes of UTF-8 that are freed here, and sets their count.
    private static func text(_ entry: (UnsafeMutablePointer<Int32>) -> UnsafeMutablePointer<UInt8>?) -> String? {
        var count: Int32 = 0
        guard let bytes = entry(&count) else { return nil }
        defer { COpenSSL_free(bytes) }
        return String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
    }

    /// Names of more than 253 bytes are left out, because no host can have them in DNS.
    private static func alternativeNames(_ raw: OpaquePointer) -> [String] {
        guard let names = COpenSSL_alternativeNames(raw) else { return [] }
        defer { COpenSSL_freeNames(names) }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 253) { buffer in
            (0..<COpenSSL_nameCount(names)).compactMap { index in
                let count = COpenSSL_nameText(names, index, buffer.baseAddress, Int32(buffer.count))
                guard count >= 0 else { return nil }
                return String(decoding: UnsafeRawBufferPointer(buffer)[..<Int(count)], as: UTF8.self)
            }
        }
    }

    /// The dotted form, cut after 127 characters. A cut one equals none of the known ones.
    private static func extensionOID(_ raw: OpaquePointer, _ index: Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
            guard COpenSSL_extensionOID(raw, index, buffer.baseAddress, Int32(buffer.count)) > 0 else { return "" }
            return String(cString: buffer.baseAddress!)
        }
    }

    private static func extensionValue(_ raw: OpaquePointer, _ index: Int32) -> [UInt8] {
        var count: Int32 = 0
        let bytes = COpenSSL_extensionValue(raw, index, &count)
        return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }

    private static func fingerprint(_ raw: OpaquePointer) -> String {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard X509_digest(raw, EVP_sha256(), &digest, &count) == 1 else { return "" }
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: digest.prefix(Int(count)).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
            as: UTF8.self)
    }
}
