#if canImport(Security)
    import Foundation
    import Security

    /// Keeps the tokens in the keychain of this device, readable after the first unlock: a push can arrive while the device is
    /// locked. They are neither synchronized to other devices nor restored on them.
    public actor KeychainTokenStorage: TokenStorage {
        private let service: String
        private let accessGroup: String?

        /// - Parameters:
        ///   - service: A name for the app's tokens, such as its bundle id.
        ///   - accessGroup: The group that app and extensions share; nil if only the app uses the tokens.
        public init(service: String, accessGroup: String? = nil) {
            self.service = service
            self.accessGroup = accessGroup
        }

        /// - Throws: `TokenStorageError`, with the code `locked` before the first unlock.
        public func load() throws -> OAuthTokens? {
            var query = query
            query[kSecReturnData] = true
            query[kSecMatchLimit] = kSecMatchLimitOne
            var found: CFTypeRef?
            switch SecItemCopyMatching(query as CFDictionary, &found) {
            case errSecSuccess:
                guard let data = found as? Data, let tokens = try? JSONDecoder().decode(OAuthTokens.self, from: data)
                else { throw TokenStorageError(.unreadable) }
                return tokens
            case errSecItemNotFound: return nil
            case let status: throw failure(status, .notRead)
            }
        }

        public func save(_ tokens: OAuthTokens) throws {
            // The class of an item that is there already is set too.
            let values: [CFString: Any] = [
                kSecValueData: try JSONEncoder().encode(tokens),
                kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            var status = SecItemUpdate(query as CFDictionary, values as CFDictionary)
            if status == errSecItemNotFound {
                status = SecItemAdd(query.merging(values) { _, new in new } as CFDictionary, nil)
            }
            guard status == errSecSuccess else { throw failure(status, .notWritten) }
        }

        public func clear() throws {
            switch SecItemDelete(query as CFDictionary) {
            case errSecSuccess, errSecItemNotFound: break
            case let status: throw failure(status, .notWritten)
            }
        }

        private var query: [CFString: Any] {
            var query: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: "tokens",
                kSecUseDataProtectionKeychain: true,
            ]
            if let accessGroup { query[kSecAttrAccessGroup] = accessGroup }
            return query
        }

        private func failure(_ status: OSStatus, _ code: TokenStorageError.Code) -> TokenStorageError {
            TokenStorageError(status == errSecInteractionNotAllowed ? .locked : code, status: status)
        }
    }
#endif
