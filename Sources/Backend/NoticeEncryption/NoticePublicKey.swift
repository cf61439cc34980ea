import Foundation
package import PushDispatch

/// What a device registers so that notices for it come encrypted: `RsaPublicKey` (docs/reference/selective-sync.md 4.3, 4.6).
package struct NoticePublicKey: Sendable {
    package static let bits = 2_048

    private let key: RSAKey

    /// From base64 of a 2048-bit RSA key in DER (SubjectPublicKeyInfo), with or without line breaks.
    package init?(_ text: String) {
        guard let der = NoticeEncoding.data(of: text), let key = RSAKey(subjectPublicKeyInfo: [UInt8](der)),
            key.bits == NoticePublicKey.bits
        else { return nil }
        self.key = key
    }

    /// The members `secret` and `content` of a payload, with a key of their own.
    ///
    /// - Parameter inner: What only the device may read.
    /// - Returns: Nil where the library fails.
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

    /// Base64 of key and initialization vector, encrypted for the device.
    package let secret: String
    /// Base64 of the encrypted JSON object.
    package let content: String
}
