internal import COpenSSL

/// Owns a memory BIO, for reading and writing PEM and DER.
struct MemoryBIO: ~Copyable {
    let raw: OpaquePointer

    init() throws(TLSError) {
        guard let raw = BIO_new(BIO_s_mem()) else { throw OpenSSLFailure.libraryError("make a buffer") }
        self.raw = raw
    }

    /// Holds a copy of `bytes`.
    init(_ bytes: [UInt8]) throws(TLSError) {
        guard let raw = BIO_new(BIO_s_mem()) else { throw OpenSSLFailure.libraryError("make a buffer") }
        var written = 0
        guard bytes.isEmpty || BIO_write_ex(raw, bytes, bytes.count, &written) == 1 else {
            BIO_free(raw)
            throw OpenSSLFailure.libraryError("copy \(bytes.count) bytes")
        }
        self.raw = raw
    }

    deinit { BIO_free(raw) }

    func takeBytes() -> [UInt8] {
        let pending = Int(BIO_ctrl_pending(raw))
        return [UInt8](unsafeUninitializedCapacity: pending) { buffer, count in
            guard pending > 0 else { return }
            BIO_read_ex(raw, buffer.baseAddress, pending, &count)
        }
    }
}
