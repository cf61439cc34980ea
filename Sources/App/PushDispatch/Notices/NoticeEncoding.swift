package import Foundation

/// The encodings of keys and notices as text.
package enum NoticeEncoding {
    /// The bytes of a SubjectPublicKeyInfo before the key: two lengths, the algorithm rsaEncryption, the start of the
    /// bit string.
    private static let header: [UInt8] = [
        0x30, 0x82, 0x01, 0x22, 0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05,
        0x00, 0x03, 0x82, 0x01, 0x0f, 0x00,
    ]
    /// An RSAPublicKey (RFC 8017) of 2048 bits with the exponent 65537.
    private static let keyBytes = 270

    /// Base64 in lines of 64 characters.
    package static func lines(of der: Data) -> String {
        der.base64EncodedString(options: .lineLength64Characters)
    }

    /// The bytes of base64 with or without line breaks.
    package static func data(of text: String) -> Data? { Data(base64Encoded: text.filter { !$0.isNewline }) }

    /// The DER form of a key without its algorithm, which is the form that the Security framework exports.
    ///
    /// - Returns: Nil for a key of another length than 2048 bits with the exponent 65537.
    package static func subjectPublicKeyInfo(of key: Data) -> Data? {
        key.count == keyBytes && key.starts(with: [0x30, 0x82, 0x01, 0x0a]) ? Data(header) + key : nil
    }
}
