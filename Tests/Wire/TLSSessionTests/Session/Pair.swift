@testable import TLSSession

/// A session with the loop that its owner runs, and its output.
final class End {
    var session: TLSSession
    var received: [UInt8] = []
    var isClosed = false
    private var buffer = [UInt8](repeating: 0, count: 65_536)

    init(_ session: consuming TLSSession) { self.session = session }

    var isHandshakeDone: Bool { session.isHandshakeDone }
    var pendingCiphertextBytes: Int { session.pendingCiphertextBytes }
    var negotiatedProtocol: String? { session.negotiatedProtocol }
    var version: String { session.version }
    var cipher: String { session.cipher }
    var serverName: String? { session.serverName }
    var peerCertificate: CertificateFacts? { session.peerCertificate }
    var peerVerification: PeerVerification { session.peerVerification }

    func feed(_ bytes: some Collection<UInt8>) throws(TLSError) {
        let whole = Array(bytes)
        var failure: TLSError?
        whole.withUnsafeBytes { raw in
            do throws(TLSError) { try session.receive(raw) } catch { failure = error }
        }
        if let failure { throw failure }
        try advance()
    }

    func advance() throws(TLSError) {
        if !session.isHandshakeDone, try session.handshake() == .wantsMore { return }
        while !isClosed {
            switch try read() {
            case .bytes(let count): received += buffer[..<count]
            case .wantsMore: return
            case .closed: isClosed = true
            }
        }
    }

    private func read() throws(TLSError) -> TLSSession.ReadResult {
        var result: Result<TLSSession.ReadResult, TLSError>?
        buffer.withUnsafeMutableBytes { raw in
            do throws(TLSError) { result = .success(try session.read(into: raw)) } catch { result = .failure(error) }
        }
        return try result!.get()
    }

    func write(_ bytes: [UInt8]) throws(TLSError) {
        var failure: TLSError?
        bytes.withUnsafeBytes { raw in
            do throws(TLSError) { try session.write(raw) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    func output() -> [UInt8] {
        let pending = session.pendingCiphertextBytes
        return [UInt8](unsafeUninitializedCapacity: pending) { bytes, count in
            count = session.takeCiphertext(into: UnsafeMutableRawBufferPointer(bytes))
        }
    }
}

/// A client and a server that are connected in memory.
final class Pair {
    let client: End
    let server: End

    init(client: TLSContext, server: TLSContext, serverName: String = "localhost") throws(TLSError) {
        self.client = End(try TLSSession(client: client, serverName: serverName, verifyingAt: Credentials.now))
        self.server = End(try TLSSession(server: server, verifyingAt: Credentials.now))
    }

    /// Moves bytes both ways until none are left.
    ///
    /// - Parameter cut: Cuts the output of one side into pieces.
    /// - Returns: The length of the longest such flight.
    @discardableResult
    func exchange(cut: ([UInt8]) -> [ArraySlice<UInt8>] = { [$0[...]] }) throws(TLSError) -> Int {
        var longest = 0
        try client.advance()
        while true {
            let toServer = client.output()
            for piece in cut(toServer) { try server.feed(piece) }
            let toClient = server.output()
            for piece in cut(toClient) { try client.feed(piece) }
            longest = max(longest, toServer.count, toClient.count)
            if toServer.isEmpty, toClient.isEmpty { return longest }
        }
    }

    /// The client's error of a connection that must fail, and the server's.
    func failures() -> (client: TLSError?, server: TLSError?) {
        var failures: (client: TLSError?, server: TLSError?) = (nil, nil)
        do throws(TLSError) { try client.advance() } catch { failures.client = error }
        while true {
            let toServer = client.output()
            do throws(TLSError) { try server.feed(toServer) } catch { failures.server = failures.server ?? error }
            let toClient = server.output()
            do throws(TLSError) { try client.feed(toClient) } catch { failures.client = failures.client ?? error }
            if toServer.isEmpty, toClient.isEmpty { return failures }
        }
    }
}
