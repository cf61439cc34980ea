// Declarations of CommonCrypto, as far as the adapters need them.
//
// Seen in:
// [a] opensource.apple.com/source/CommonCrypto, CommonCryptor.h, as public repositories quote it: the typedefs are uint32_t, the status
//     int32_t, the constants are an enum without a name, so Int in Swift; every pointer may be nil.
public typealias CCOperation = UInt32
public typealias CCAlgorithm = UInt32
public typealias CCOptions = UInt32
public typealias CCCryptorStatus = Int32

public let kCCDecrypt = 1
public let kCCAlgorithmAES = 0
public let kCCOptionPKCS7Padding = 1
public let kCCSuccess = 0
public let kCCKeySizeAES128 = 16
public let kCCBlockSizeAES128 = 16

public func CCCrypt(
    _ operation: CCOperation, _ algorithm: CCAlgorithm, _ options: CCOptions, _ key: UnsafeRawPointer?,
    _ keyLength: Int,
    _ initializationVector: UnsafeRawPointer?, _ dataIn: UnsafeRawPointer?, _ dataInLength: Int,
    _ dataOut: UnsafeMutableRawPointer?, _ dataOutAvailable: Int, _ dataOutMoved: UnsafeMutablePointer<Int>?
) -> CCCryptorStatus { 0 }
