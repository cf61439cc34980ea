public import Foundation

/// What opens a notice that was encrypted for this device (docs/reference/selective-sync.md 4.6).
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
