import ProviderToken

// Files in place of a .p8 key, and of a public key.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPEM(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeRawBufferPointer(start: start, count: count))
    do {
        _ = try SigningKey(p8: bytes)
    } catch {
        // A message must not contain what may be a key.
        precondition(error.description.utf8.count < 1000, "a message has the content of the file")
    }
    _ = try? VerifyingKey(pem: bytes)
    _ = try? SigningKey(pem: String(decoding: bytes, as: UTF8.self))
    return 0
}
