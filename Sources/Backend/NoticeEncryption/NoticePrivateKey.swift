package import Foundation
package import PushDispatch

/// The key pair of a simulated device for encrypted notices, made with OpenSSL.
package struct NoticePrivateKey: NoticeCipher {
    private let key: RSAKey

    /// Generates a pair; nil if OpenSSL fails.
    package init?(bits: Int = NoticePublicKey.bits) {
        guard let key = RSAKey(bits: bits) else { return nil }
        self.key = key
    }

    /// The public key in the form in which a device registers it.
    package var publicKey: String { NoticeEncoding.lines(of: Data(key.subjectPublicKeyInfo)) }

    package func decryptSecret(_ secret: Data, padding: NoticePadding) -> Data? {
        key.decrypt([UInt8](secret), padding: padding).map { Data($0) }
    }

    package func decryptContent(_ content: Data, key: Data, initializationVector: Data) -> Data? {
        AES128.decrypt([UInt8](content), key: [UInt8](key), initializationVector: [UInt8](initializationVector))
            .map { Data($0) }
    }
}
