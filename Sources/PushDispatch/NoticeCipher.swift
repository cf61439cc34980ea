public import Foundation

/// What opens a notice that was encrypted for this device (selective-sync.md 4.6).
///
/// On Apple's platforms that is `KeychainNoticeKey`; tests and simulated devices have one of their own.
public protocol NoticeCipher: Sendable {
    /// RSA with the device's private key.
    ///
    /// - Returns: Nil for what is not encrypted for this key in this way.
    func decryptSecret(_ secret: Data, padding: NoticePadding) -> Data?

    /// AES-128 in CBC mode, with the padding of PKCS#7.
    ///
    /// - Parameters:
    ///   - key: 16 bytes.
    ///   - initializationVector: 16 bytes.
    /// - Returns: Nil where the padding is wrong, as it nearly always is with a wrong key.
    func decryptContent(_ content: Data, key: Data, initializationVector: Data) -> Data?
}

/// How a secret is padded before RSA.
public enum NoticePadding: Hashable, Sendable {
    /// OAEP with SHA-256, in the mask too: what a device asks for with `CipherName`.
    case oaepSHA256
    /// PKCS#1 version 1.5, from servers that know no other.
    case pkcs1
}

/// The forms in which keys and notices are written.
package enum NoticeText {
    /// SubjectPublicKeyInfo up to the key itself: two lengths, the algorithm rsaEncryption, the start of the bit string.
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

    /// The DER form of a key that comes without its algorithm, as the Security framework gives it out.
    ///
    /// - Returns: Nil for a key of another length than 2048 bits with the exponent 65537.
    package static func subjectPublicKeyInfo(of key: Data) -> Data? {
        key.count == keyBytes && key.starts(with: [0x30, 0x82, 0x01, 0x0a]) ? Data(header) + key : nil
    }
}
