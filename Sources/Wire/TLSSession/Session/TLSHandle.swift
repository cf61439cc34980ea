internal import COpenSSL

/// Owns one `SSL` with the queues that it reads and writes, and the context that its callbacks read.
struct TLSHandle: ~Copyable {
    let raw: OpaquePointer
    /// Ciphertext from the peer. Both queues outlive `raw`, whose BIOs point at them.
    let input: ByteQueue
    /// Ciphertext for the peer.
    let output: ByteQueue
    private let context: TLSContext

    init(_ context: TLSContext) throws(TLSError) {
        ERR_clear_error()
        let input = ByteQueue()
        let output = ByteQueue()
        guard let raw = SSL_new(context.handle.raw) else { throw OpenSSLFailure.libraryError("make a TLS session") }
        guard let reading = input.makeBIO() else {
            SSL_free(raw)
            throw OpenSSLFailure.libraryError("make a TLS session")
        }
        guard let writing = output.makeBIO() else {
            BIO_free(reading)
            SSL_free(raw)
            throw OpenSSLFailure.libraryError("make a TLS session")
        }
        SSL_set_bio(raw, reading, writing)
        self.raw = raw
        self.input = input
        self.output = output
        self.context = context
    }

    deinit { SSL_free(raw) }

    var role: TLSContext.Role { context.role }

    /// - Returns: The result of `SSL_get_error`; `SSL_ERROR_NONE` when all bytes are in the output.
    static func write(_ plaintext: UnsafeRawBufferPointer, to raw: OpaquePointer) -> Int32 {
        var written = 0
        ERR_clear_error()
        let result = SSL_write_ex(raw, plaintext.baseAddress, plaintext.count, &written)
        return result == 1 ? SSL_ERROR_NONE : SSL_get_error(raw, result)
    }

    /// Checks the validity of certificates at another time than the machine's.
    ///
    /// - Parameter now: Seconds since 1970-01-01 UTC.
    func verifyCertificates(at now: Int64) { X509_VERIFY_PARAM_set_time(SSL_get0_param(raw), time_t(now)) }

    /// Sets SNI and the name that the certificate must have.
    func expect(_ serverName: String) throws(TLSError) {
        let parameters = SSL_get0_param(raw)
        let name = serverName.hasSuffix(".") ? String(serverName.dropLast()) : serverName
        guard (1...253).contains(name.utf8.count), name.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw TLSError(
                .badServerName,
                "\"\(TLSError.quotable(serverName))\" is not a host name; use its ASCII form, or an IP address")
        }
        ERR_clear_error()
        if X509_VERIFY_PARAM_set1_ip_asc(parameters, name) == 1 { return }
        ERR_clear_error()
        X509_VERIFY_PARAM_set_hostflags(
            parameters, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT))
        guard X509_VERIFY_PARAM_set1_host(parameters, name, 0) == 1, COpenSSL_setServerName(raw, name) == 1 else {
            throw OpenSSLFailure.libraryError("set the server name")
        }
        // OpenSSL demands two labels after a wildcard, and `*.localhost` (RFC 6761) has one. So it is added as a literal name.
        let labels = name.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        if labels.count == 2, labels[1] == "localhost", !labels[0].isEmpty {
            X509_VERIFY_PARAM_add1_host(parameters, "*.localhost", 0)
        }
    }
}
