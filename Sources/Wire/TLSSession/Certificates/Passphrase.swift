internal import COpenSSL

/// What OpenSSL gets when it asks for the passphrase of a PEM block. Without a callback it would ask on the terminal.
struct Passphrase {
    /// Nil refuses.
    private let bytes: [UInt8]?
    /// Whether OpenSSL asked, so the block is encrypted.
    private(set) var wasAsked = false

    init(_ text: String?) { bytes = text.map { Array($0.utf8) } }

    /// Calls `body` with the context for the callback, which is valid during the call.
    mutating func withContext<Result>(_ body: (UnsafeMutableRawPointer) -> Result) -> Result {
        withUnsafeMutablePointer(to: &self) { body(UnsafeMutableRawPointer($0)) }
    }

    /// OpenSSL's type `pem_password_cb`: buffer, its size, whether the passphrase is for writing, and the context.
    typealias Callback = @convention(c) (UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?) -> Int32

    /// The callback for OpenSSL's readers of PEM, with a pointer to a `Passphrase` as its context.
    static let answer: Callback = {
        buffer, size, _, context in
        let passphrase = context!.assumingMemoryBound(to: Passphrase.self)
        passphrase.pointee.wasAsked = true
        guard let bytes = passphrase.pointee.bytes, bytes.count <= Int(size), let buffer else { return -1 }
        UnsafeMutableRawBufferPointer(start: buffer, count: Int(size)).copyBytes(from: bytes)
        return Int32(bytes.count)
    }
}
