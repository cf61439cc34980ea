// Declarations of Security, as far as the adapters need them. CFString and the other types of CoreFoundation are the types that
// Swift bridges them to, so a missing `as` conversion is not noticed here.
//
// Seen in:
// [a] apple/swift-3-api-guidelines-review, Platforms/OSX/Security/SecItem.swift (the header as Swift shows it)
// [b] developer.apple.com, the differences between versions of Security: the pointer for a result may be nil
// [c] docs.rs/objc2-security, SecItemAdd
// The functions and constants of SecKey are newer than [a]. Of them a copy of Apple's header was seen without the name of its
// repository: the key that SecKeyCreateRandomKey makes is nullable.
//
// No declaration that was seen has an isolation to an actor.
public import Foundation

public typealias CFString = String
public typealias CFDictionary = [String: Any]
public typealias CFData = Data
public typealias CFTypeRef = AnyObject
public typealias CFError = NSError
public typealias OSStatus = Int32

// A type of CoreFoundation. No conformance to Sendable was seen, so it has none here.
public final class SecKey {}

@available(*, unavailable)
extension SecKey: Sendable {}

// Not seen.
public struct SecKeyAlgorithm: Sendable {
    public static let rsaEncryptionOAEPSHA256 = SecKeyAlgorithm()
    public static let rsaEncryptionPKCS1 = SecKeyAlgorithm()
}

public let errSecSuccess: OSStatus = 0
public let errSecParam: OSStatus = -50
public let errSecDuplicateItem: OSStatus = -25_299
public let errSecItemNotFound: OSStatus = -25_300
public let errSecInteractionNotAllowed: OSStatus = -25_308

// [a] Constants of the type CFString, apart from kSecUseDataProtectionKeychain and kSecPrivateKeyAttrs, which were not seen. Their
// texts are not part of the interface.
public let kSecClass: CFString = "class"
public let kSecClassGenericPassword: CFString = "genp"
public let kSecClassKey: CFString = "keys"
public let kSecMatchLimit: CFString = "m_Limit"
public let kSecMatchLimitOne: CFString = "m_LimitOne"
public let kSecReturnData: CFString = "r_Data"
public let kSecReturnRef: CFString = "r_Ref"
public let kSecValueData: CFString = "v_Data"
public let kSecUseDataProtectionKeychain: CFString = "nleg"
public let kSecAttrAccessGroup: CFString = "agrp"
public let kSecAttrAccessible: CFString = "pdmn"
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
public let kSecAttrAccount: CFString = "acct"
public let kSecAttrApplicationTag: CFString = "atag"
public let kSecAttrIsPermanent: CFString = "perm"
public let kSecAttrKeyClass: CFString = "kcls"
public let kSecAttrKeyClassPrivate: CFString = "1"
public let kSecAttrKeySizeInBits: CFString = "bsiz"
public let kSecAttrKeyType: CFString = "type"
public let kSecAttrKeyTypeRSA: CFString = "42"
public let kSecAttrService: CFString = "svce"
public let kSecPrivateKeyAttrs: CFString = "private"

// The result is nullable.
public func SecKeyCreateRandomKey(
    _ parameters: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? { nil }

// Not seen.
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? { nil }

// Not seen.
public func SecKeyCopyExternalRepresentation(
    _ key: SecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? { nil }

// Not seen.
public func SecKeyCreateDecryptedData(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ ciphertext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? { nil }

// [a] [b] [c] Functions of C, so their result may be left unused.
@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }
@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus { 0 }
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { 0 }
