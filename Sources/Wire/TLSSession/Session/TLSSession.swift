internal import COpenSSL

/// One end of a TLS connection without a socket: ciphertext in, plaintext out, and back.
///
/// Call `receive` with each socket read, then `handshake` until it is done, and after that `read` until it wants more.
/// After each of these calls, also after an error, send the result of `takeCiphertext`: it may be the alert that tells the
/// peer the reason. An error is final; each later call throws it again.
///
/// Memory: the queues do not shrink. Their sizes are at most twice the most that was received and not read, and twice the
/// most that was written and not taken. Only answers to a peer make the second one grow, so a caller is safe if it stops
/// reading while `pendingCiphertextBytes` is above its limit.
package struct TLSSession: ~Copyable {
    package enum Handshake: Hashable, Sendable { case wantsMore, done }

    package enum ReadResult: Hashable, Sendable {
        /// This many bytes, at least one, are at the start of the buffer.
        case bytes(Int)
        case wantsMore
        /// The peer sent close_notify; nothing more comes.
        case closed
    }

    /// The most plaintext that waits while the peer has sent only a part of a message that must be answered first.
    static let maximumHeldBytes = 1 << 20

    let handle: TLSHandle
    /// The host that the client connects to.
    let wantedName: String?
    /// Set once. OpenSSL's own state returns to false while a KeyUpdate is partly received.
    package private(set) var isHandshakeDone = false
    private var isClosedByPeer = false
    private var failure: TLSError?
    private var held: [UInt8] = []

    /// A client that verifies the server's certificate with the context's trust and this name.
    ///
    /// - Parameters:
    ///   - serverName: A DNS name in ASCII, sent as SNI and compared with the DNS names of the certificate, or an IP
    ///     address, compared with its IP addresses only. The subject's common name does not count (RFC 9525).
    ///   - now: The time at which certificates must be valid, in seconds since 1970-01-01 UTC; nil is the machine's.
    package init(
        client context: TLSContext, serverName: String, verifyingAt now: Int64? = nil
    ) throws(TLSError) {
        precondition(context.role == .client, "a server's context")
        let handle = try TLSHandle(context)
        try handle.expect(serverName)
        if let now { handle.verifyCertificates(at: now) }
        SSL_set_connect_state(handle.raw)
        self.handle = handle
        wantedName = serverName
    }

    /// - Parameter now: The time at which the client's certificate must be valid, in seconds since 1970-01-01 UTC; nil is
    ///   the machine's.
    package init(server context: TLSContext, verifyingAt now: Int64? = nil) throws(TLSError) {
        precondition(context.role == .server, "a client's context")
        let handle = try TLSHandle(context)
        if let now { handle.verifyCertificates(at: now) }
        SSL_set_accept_state(handle.raw)
        self.handle = handle
        wantedName = nil
    }

    /// Takes bytes from the socket. Bytes after the peer's close_notify are dropped.
    package mutating func receive(_ ciphertext: UnsafeRawBufferPointer) throws(TLSError) {
        if let failure { throw failure }
        guard !ciphertext.isEmpty, !isClosedByPeer else { return }
        handle.input.append(ciphertext)
    }

    /// The TCP connection ended. Without a close_notify before, the next read throws code `.truncated`, after it has returned
    /// all complete records, and the next handshake `.handshakeEnded`.
    package mutating func receiveEndOfStream() { handle.input.end() }

    /// Continues the handshake as far as the received bytes allow.
    package mutating func handshake() throws(TLSError) -> Handshake {
        if let failure { throw failure }
        guard !isHandshakeDone else { return .done }
        ERR_clear_error()
        let result = SSL_do_handshake(handle.raw)
        guard result != 1 else {
            isHandshakeDone = true
            return .done
        }
        let status = SSL_get_error(handle.raw, result)
        guard status != SSL_ERROR_WANT_READ else { return .wantsMore }
        throw fail(TLSError(status, of: handle, wantedName: wantedName, isHandshakeDone: isHandshakeDone))
    }

    /// Fills `buffer` with as many records as were received and fit. If an error comes after some plaintext, the next
    /// call throws it.
    ///
    /// - Precondition: The handshake is done and `buffer` is not empty.
    package mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(TLSError) -> ReadResult {
        precondition(
            isHandshakeDone && !buffer.isEmpty, "reads come after the handshake, into a buffer that is not empty")
        if let failure { throw failure }
        var filled = 0
        while filled < buffer.count {
            var count = 0
            ERR_clear_error()
            let result = SSL_read_ex(handle.raw, buffer.baseAddress! + filled, buffer.count - filled, &count)
            if result == 1 {
                filled += count
                continue
            }
            switch SSL_get_error(handle.raw, result) {
            case SSL_ERROR_WANT_READ:
                sendHeld()
                if filled == 0, let failure { throw failure }
                return filled > 0 ? .bytes(filled) : .wantsMore
            case SSL_ERROR_ZERO_RETURN:
                isClosedByPeer = true
                return filled > 0 ? .bytes(filled) : .closed
            case let status:
                let error = fail(TLSError(status, of: handle, wantedName: wantedName, isHandshakeDone: isHandshakeDone))
                guard filled > 0 else { throw error }
            }
            break
        }
        return .bytes(filled)
    }

    /// Encrypts all of `plaintext`, in records of up to 16 KiB. Few large calls are better: a record costs more than its
    /// bytes.
    ///
    /// OpenSSL cannot write while a KeyUpdate or session ticket of the peer is partly received. Up to 1 MiB then waits for
    /// the `read` that completes it; more is an error with code `.overflow`.
    ///
    /// - Precondition: The handshake is done.
    package mutating func write(_ plaintext: UnsafeRawBufferPointer) throws(TLSError) {
        precondition(isHandshakeDone, "writes come after the handshake")
        if let failure { throw failure }
        guard !plaintext.isEmpty else { return }
        if held.isEmpty {
            let status = TLSHandle.write(plaintext, to: handle.raw)
            if status == SSL_ERROR_NONE { return }
            guard status == SSL_ERROR_WANT_READ else {
                throw fail(TLSError(status, of: handle, wantedName: wantedName, isHandshakeDone: isHandshakeDone))
            }
        }
        guard held.count + plaintext.count <= TLSSession.maximumHeldBytes else {
            throw fail(
                TLSError(
                    .overflow, "the peer began a TLS message and does not end it, so nothing can be sent; reconnect"))
        }
        held.append(contentsOf: plaintext)
    }

    private mutating func sendHeld() {
        guard !held.isEmpty else { return }
        let status = held.withUnsafeBytes { [raw = handle.raw] in TLSHandle.write($0, to: raw) }
        switch status {
        case SSL_ERROR_NONE: held = []
        case SSL_ERROR_WANT_READ: break
        default: _ = fail(TLSError(status, of: handle, wantedName: wantedName, isHandshakeDone: isHandshakeDone))
        }
    }

    /// The number of bytes that `takeCiphertext` can move.
    package var pendingCiphertextBytes: Int { handle.output.count }

    /// Moves ciphertext for the peer into `buffer`, which is the only copy before the socket.
    ///
    /// - Returns: The number of bytes moved, 0 when nothing is pending.
    package mutating func takeCiphertext(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        handle.output.take(into: buffer)
    }

    /// Sends close_notify, once; the peer may still send. It does nothing before the handshake is done or after an error, and
    /// drops plaintext that waits as `write` describes.
    package mutating func close() {
        guard isHandshakeDone, failure == nil, SSL_get_shutdown(handle.raw) & SSL_SENT_SHUTDOWN == 0 else { return }
        SSL_shutdown(handle.raw)
        ERR_clear_error()
    }

    private mutating func fail(_ error: TLSError) -> TLSError {
        failure = error
        held = []
        return error
    }
}
