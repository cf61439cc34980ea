internal import COpenSSL

/// The protocol names for ALPN, as OpenSSL and its callback read them.
///
/// Sendable because nothing changes it after `init`.
struct ProtocolList: ~Copyable, @unchecked Sendable {
    /// The list of RFC 7301 3.1, with a zero byte after it.
    private let wire: UnsafeMutableBufferPointer<UInt8>

    /// - Precondition: Each name has 1 to 255 bytes.
    init(_ names: [String]) {
        precondition(names.allSatisfy { (1...255).contains($0.utf8.count) }, "protocol names have 1 to 255 bytes")
        var bytes: [UInt8] = []
        for name in names {
            bytes.append(UInt8(name.utf8.count))
            bytes.append(contentsOf: name.utf8)
        }
        bytes.append(0)
        wire = .allocate(capacity: bytes.count)
        _ = wire.initialize(from: bytes)
    }

    deinit { wire.deallocate() }

    /// Lets a client offer the list.
    ///
    /// - Parameter context: An `SSL_CTX`.
    func offer(in context: OpaquePointer) throws(TLSError) {
        guard SSL_CTX_set_alpn_protos(context, wire.baseAddress, UInt32(wire.count - 1)) == 0 else {
            throw OpenSSLFailure.libraryError("set the ALPN list")
        }
    }

    /// Lets a server choose the first protocol of the list that the client offers. A client that offers only others gets
    /// the alert `no_application_protocol`.
    ///
    /// - Parameter context: An `SSL_CTX`. The list must outlive it and its sessions.
    func select(in context: OpaquePointer) {
        SSL_CTX_set_alpn_select_cb(
            context,
            { _, selected, selectedCount, offered, offeredCount, list in
                let ours = list!.assumingMemoryBound(to: UInt8.self)
                var found: UnsafeMutablePointer<UInt8>?
                let result = SSL_select_next_proto(
                    &found, selectedCount, ours, ProtocolList.count(of: ours), offered, offeredCount)
                guard result == OPENSSL_NPN_NEGOTIATED else { return SSL_TLSEXT_ERR_ALERT_FATAL }
                selected?.pointee = UnsafePointer(found)
                return SSL_TLSEXT_ERR_OK
            }, wire.baseAddress)
    }

    /// The number of bytes before the zero byte.
    private static func count(of list: UnsafePointer<UInt8>) -> UInt32 {
        var count = 0
        while list[count] > 0 { count += 1 + Int(list[count]) }
        return UInt32(count)
    }
}
