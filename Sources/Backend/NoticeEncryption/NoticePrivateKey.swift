package import Foundation
package import PushDispatch

/// A device's key pair for encrypted notices, on OpenSSL: for devices that are simulated.
package struct NoticePrivateKey: NoticeCipher {
    private let key: RSAKey

    /// A new pair; nil where the library cannot make one.
    package init?(bits: Int = NoticePublicKey.bits) {
        guard let key = RSAKey(bits: bits) else { return nil }
        self.key = key
    }

    /// As a device registers it.
    package var publicKey: String { NoticeEncoding.lines(of: Data(key.subjectPublicKeyInfo)) }

    package func decryptSecret(_ secret: Data, padding: NoticePadding) -> Data? {
        key.decrypt([UInt8](secret), padding: padding).map { Data($0) }
    }

    package func decryptContent(_ content: Data, key: Data, initializationVector: Data) -> Data? {
        AES128.decrypt([UInt8](content), key: [UInt8](key), initializationVector: [UInt8](initializationVector))
            .map { Data($0) }
    }
}
