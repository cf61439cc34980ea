// Declarations of Security, as far as the adapters need them. CFString and the other types of CoreFoundation are the types that
// Swift bridges them to, so a missing `as` conversion is not noticed here.
//
// Seen in:
// [a] apple/swift-3-api-guidelines-review, Platforms/OSX/Security/SecItem.swift (the header as Swift shows it)
// [b] developer.apple.com, the differences between versions of Security: the pointer for a result may be nil
// [c] docs.rs/objc2-security, SecItemAdd
// [d] palera1n/BridgeOS.sdk, System/Library/Frameworks/Security.framework/Headers/SecKey.h (everything that is not marked as
//     nullable is not, except for the pointer to an error)
// [e] Averyy/apple-dev-docs, documentation/Security: seckey.md, seckeyalgorithm.md, seckeycreaterandomkey.md,
//     seckeycopypublickey.md, seckeycopyexternalrepresentation.md, seckeycreatedecrypteddata.md, ksecprivatekeyattrs.md,
//     ksecusedataprotectionkeychain.md (declarations and conformances of the current SDK)
//
// No declaration that was seen has an isolation to an actor.
public import Foundation

public typealias CFString = String
public typealias CFDictionary = [String: Any]
public typealias CFData = Data
public typealias CFTypeRef = AnyObject
public typealias CFError = NSError
public typealias OSStatus = Int32

// [e] A class that conforms to Equatable and Hashable, and not to Sendable.
public final class SecKey {}

@available(*, unavailable)
extension SecKey: Sendable {}

// [d] CF_STRING_ENUM of CFString, so a struct. [e] Sendable. The texts of its constants are not part of the interface.
public struct SecKeyAlgorithm: RawRepresentable, Hashable, Sendable {
    public let rawValue: CFString

    public init(rawValue: CFString) { self.rawValue = rawValue }

    // [d] [e] Not nullable.
    public static let rsaEncryptionOAEPSHA256 = SecKeyAlgorithm(rawValue: "OAEP-SHA256")
    public static let rsaEncryptionPKCS1 = SecKeyAlgorithm(rawValue: "PKCS1")
}

public let errSecSuccess: OSStatus = 0
public let errSecParam: OSStatus = -50
public let errSecDuplicateItem: OSStatus = -25_299
public let errSecItemNotFound: OSStatus = -25_300
public let errSecInteractionNotAllowed: OSStatus = -25_308

// [a] Constants of the type CFString; [e] also kSecUseDataProtectionKeychain (macOS 10.15 and iOS 13), and [d] [e]
// kSecPrivateKeyAttrs. Their texts are not part of the interface.
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

// [d] [e] The result is nullable. Here and below the pointer to an error may be nil, and what it points to as well.
public func SecKeyCreateRandomKey(
    _ parameters: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? { nil }

// [d] [e] The result is nullable.
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? { nil }

// [d] [e] The result is nullable.
public func SecKeyCopyExternalRepresentation(
    _ key: SecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? { nil }

// [d] [e] The result is nullable.
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
