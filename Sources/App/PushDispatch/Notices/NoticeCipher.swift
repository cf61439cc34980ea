public import Foundation

/// Decrypts notices that were encrypted for this device (docs/reference/selective-sync.md 4.6).
///
/// On Apple's platforms `KeychainNoticeKey` is one.
public protocol NoticeCipher: Sendable {
    /// Decrypts with RSA and the device's private key.
    ///
    /// - Returns: Nil if the secret is not encrypted for this key with this padding.
    func decryptSecret(_ secret: Data, padding: NoticePadding) -> Data?

    /// Decrypts with AES-128 in CBC mode and the padding of PKCS#7.
    ///
    /// - Parameters:
    ///   - key: 16 bytes.
    ///   - initializationVector: 16 bytes.
    /// - Returns: Nil if the padding is wrong, as it nearly always is with a wrong key.
    func decryptContent(_ content: Data, key: Data, initializationVector: Data) -> Data?
}
