import Foundation
package import PushDispatch

/// The `RsaPublicKey` that a device registers to receive encrypted notices (docs/reference/selective-sync.md 4.3, 4.6).
package struct NoticePublicKey: Sendable {
    package static let bits = 2_048

    private let key: RSAKey

    /// Reads base64 of a 2048-bit RSA key in DER (SubjectPublicKeyInfo), with or without line breaks.
    package init?(_ text: String) {
        guard let der = NoticeEncoding.data(of: text), let key = RSAKey(subjectPublicKeyInfo: [UInt8](der)),
            key.bits == NoticePublicKey.bits
        else { return nil }
        self.key = key
    }

    /// Encrypts `inner` with a fresh AES key and returns the payload's members `secret` and `content`.
    ///
    /// - Parameter inner: The members that only the device may read.
    /// - Returns: Nil if OpenSSL fails.
    package func encrypt(_ inner: [String: JSONValue], padding: NoticePadding) -> EncryptedNotice? {
        guard let secret = AES128.randomBytes(EncryptedNotice.secretBytes) else { return nil }
        let content = AES128.encrypt(
            JSONValue.object(inner).compactBytes, key: Array(secret.prefix(AES128.keyBytes)),
            initializationVector: Array(secret.suffix(AES128.blockBytes)))
        guard let content, let encrypted = key.encrypt(secret, padding: padding) else { return nil }
        return EncryptedNotice(
            secret: Data(encrypted).base64EncodedString(), content: Data(content).base64EncodedString())
    }
}

package struct EncryptedNotice: Hashable, Sendable {
    static let secretBytes = AES128.keyBytes + AES128.blockBytes

    /// Base64 of the AES key and the initialization vector, encrypted with the device's public key.
    package let secret: String
    /// Base64 of the encrypted JSON object.
    package let content: String
}
