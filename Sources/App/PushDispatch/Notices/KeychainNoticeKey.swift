#if canImport(Security) && canImport(CommonCrypto)
    import CommonCrypto
    public import Foundation
    import Security

    /// The device's key pair for encrypted notices, in the keychain.
    ///
    /// The app creates it and registers ``publicKey()``. Its notification service extension finds it by the same tag,
    /// in an access group that both share.
    ///
    /// Unchecked, because `SecKey` is not declared Sendable. A key is immutable, and its functions may be called on any
    /// thread.
    public struct KeychainNoticeKey: NoticeCipher, @unchecked Sendable {
        private let key: SecKey

        /// Finds the key pair, or creates it. Only the app should do so: two processes that create a pair at the same
        /// moment end up with different pairs.
        ///
        /// - Parameters:
        ///   - tag: Its name in the keychain, such as `com.example.agent.notices`.
        ///   - accessGroup: The group that app and extension share; nil if only the app decrypts notices.
        /// - Throws: The keychain's error. The keychain has no keys before the first unlock after a restart.
        public init(tag: String, accessGroup: String? = nil) throws {
            if let found = try KeychainNoticeKey.key(tag, accessGroup) {
                key = found
                return
            }
            var own: [CFString: Any] = [
                kSecAttrIsPermanent: true, kSecAttrApplicationTag: Data(tag.utf8),
                kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            if let accessGroup { own[kSecAttrAccessGroup] = accessGroup }
            let attributes: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 2_048,
                kSecUseDataProtectionKeychain: true, kSecPrivateKeyAttrs: own,
            ]
            var error: Unmanaged<CFError>?
            guard let made = SecKeyCreateRandomKey(attributes as CFDictionary, &error) else {
                throw KeychainNoticeKey.failure(error, errSecParam)
            }
            key = made
        }

        private init(_ key: SecKey) { self.key = key }

        /// Finds the key pair, for the notification service extension.
        ///
        /// - Returns: Nil if the app has not created one.
        /// - Throws: The keychain's error.
        public static func find(tag: String, accessGroup: String? = nil) throws -> KeychainNoticeKey? {
            try key(tag, accessGroup).map { KeychainNoticeKey($0) }
        }

        /// The public key as a device registers it: `DeviceRegistration.publicKey`.
        public func publicKey() throws -> String {
            var error: Unmanaged<CFError>?
            guard let publicKey = SecKeyCopyPublicKey(key),
                let bytes = SecKeyCopyExternalRepresentation(publicKey, &error) as Data?,
                let der = NoticeEncoding.subjectPublicKeyInfo(of: bytes)
            else { throw KeychainNoticeKey.failure(error, errSecParam) }
            return NoticeEncoding.lines(of: der)
        }

        public func decryptSecret(_ secret: Data, padding: NoticePadding) -> Data? {
            let algorithm: SecKeyAlgorithm =
                switch padding {
                case .oaepSHA256: .rsaEncryptionOAEPSHA256
                case .pkcs1: .rsaEncryptionPKCS1
                }
            var error: Unmanaged<CFError>?
            let opened = SecKeyCreateDecryptedData(key, algorithm, secret as CFData, &error) as Data?
            error?.release()
            return opened
        }

        public func decryptContent(_ content: Data, key: Data, initializationVector: Data) -> Data? {
            let key = [UInt8](key)
            let initializationVector = [UInt8](initializationVector)
            let content = [UInt8](content)
            guard key.count == kCCKeySizeAES128, initializationVector.count == kCCBlockSizeAES128 else { return nil }
            var text = [UInt8](repeating: 0, count: content.count + kCCBlockSizeAES128)
            let capacity = text.count
            var count = 0
            let status = CCCrypt(
                CCOperation(kCCDecrypt), CCAlgorithm(kCCAlgorithmAES), CCOptions(kCCOptionPKCS7Padding), key, key.count,
                initializationVector, content, content.count, &text, capacity, &count)
            return status == CCCryptorStatus(kCCSuccess) ? Data(text.prefix(count)) : nil
        }

        private static func key(_ tag: String, _ accessGroup: String?) throws -> SecKey? {
            var query: [CFString: Any] = [
                kSecClass: kSecClassKey, kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeyClass: kSecAttrKeyClassPrivate,
                kSecAttrApplicationTag: Data(tag.utf8), kSecUseDataProtectionKeychain: true, kSecReturnRef: true,
            ]
            if let accessGroup { query[kSecAttrAccessGroup] = accessGroup }
            var found: CFTypeRef?
            switch SecItemCopyMatching(query as CFDictionary, &found) {
            // The query asks for a key, so the result is one.
            case errSecSuccess: return found.map { $0 as! SecKey }
            case errSecItemNotFound: return nil
            case let status: throw failure(nil, status)
            }
        }

        private static func failure(_ error: Unmanaged<CFError>?, _ status: OSStatus) -> any Error {
            error?.takeRetainedValue() ?? NSError(domain: NSOSStatusErrorDomain, code: Int(status))
        }
    }
#endif
