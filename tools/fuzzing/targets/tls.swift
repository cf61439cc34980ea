import TLSSession

// A handshake and some data between a client and a server in memory. The input says into what pieces the records are cut, and
// which byte is changed to what. Without a change everything arrives; with one, each side ends in order.

private let now: Int64 = 1_767_225_600

private let contexts: (server: TLSContext, client: TLSContext) = {
    do {
        let authority = try DevelopmentAuthority(validity: CertificateValidity(days: 365, from: now))
        let identity = try authority.server(host: "localhost", validity: CertificateValidity(days: 365, from: now))
        return (
            try TLSContext.server(identity: identity, clientTrust: nil),
            try TLSContext.client(trust: .certificates(pem: authority.certificatePEM), identity: nil)
        )
    } catch {
        fatalError("there are no credentials: \(error)")
    }
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTLS(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeRawBufferPointer(start: start, count: count)
    guard count >= 4 else { return 0 }
    var link = Link(
        pieces: Array(input.dropFirst(4)), changedByte: Int(input[0]) << 8 | Int(input[1]), mask: input[2],
        fromServer: input[3] & 1 == 1)
    do {
        var client = try TLSSession(client: contexts.client, serverName: "localhost", verifyingAt: now)
        var server = try TLSSession(server: contexts.server, verifyingAt: now)
        var received: [UInt8] = []
        var isSent = false
        // Enough for all bytes of both directions, one at a time.
        for _ in 0..<60_000 {
            let fromClient = try link.advance(&client, &received, isServer: false)
            let fromServer = try link.advance(&server, &received, isServer: true)
            if client.isHandshakeDone, !isSent {
                isSent = true
                try Link.message.withUnsafeBytes { try client.write($0) }
            }
            let toServer = try link.move(from: &client, to: &server, isFromServer: false)
            let toClient = try link.move(from: &server, to: &client, isFromServer: true)
            if !fromClient, !fromServer, !toServer, !toClient, client.pendingCiphertextBytes == 0,
                server.pendingCiphertextBytes == 0
            {
                break
            }
        }
        precondition(link.isChanged || received == Link.message, "data is lost where nothing was changed")
    } catch {
        precondition(link.isChanged, "\(error), and nothing was changed")
    }
    return 0
}

/// The bytes under way between the two.
private struct Link {
    static let message = [UInt8](repeating: 0x61, count: 20_000)

    let pieces: [UInt8]
    let changedByte: Int
    let mask: UInt8
    let fromServer: Bool
    private(set) var isChanged = false
    private var nextPiece = 0
    private var passed = 0
    private var waiting: (toServer: [UInt8], toClient: [UInt8]) = ([], [])

    init(pieces: [UInt8], changedByte: Int, mask: UInt8, fromServer: Bool) {
        self.pieces = pieces
        self.changedByte = changedByte
        self.mask = mask
        self.fromServer = fromServer
    }

    /// - Returns: Whether something was read.
    func advance(_ session: inout TLSSession, _ received: inout [UInt8], isServer: Bool) throws -> Bool {
        if !session.isHandshakeDone, try session.handshake() == .wantsMore { return false }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let result = try buffer.withUnsafeMutableBytes { try session.read(into: $0) }
        guard case .bytes(let count) = result else { return false }
        if isServer { received += buffer[..<count] }
        return true
    }

    /// Moves one piece of what a session has sent.
    ///
    /// - Returns: Whether there was one.
    mutating func move(
        from sender: inout TLSSession, to receiver: inout TLSSession, isFromServer: Bool
    ) throws -> Bool {
        let count = sender.pendingCiphertextBytes
        let sent = [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
            filled = count == 0 ? 0 : sender.takeCiphertext(into: UnsafeMutableRawBufferPointer(bytes))
        }
        var all = (isFromServer ? waiting.toClient : waiting.toServer) + sent
        // A byte of the input for each piece; 0 is everything.
        let size = pieces.isEmpty ? 0 : Int(pieces[nextPiece % pieces.count])
        nextPiece += 1
        var piece = Array(all.prefix(size == 0 ? all.count : size))
        all.removeFirst(piece.count)
        if isFromServer { waiting.toClient = all } else { waiting.toServer = all }
        if isFromServer == fromServer {
            let place = changedByte - passed
            if mask != 0, piece.indices.contains(place) {
                piece[place] ^= mask
                isChanged = true
            }
            passed += piece.count
        }
        guard !piece.isEmpty else { return false }
        try piece.withUnsafeBytes { try receiver.receive($0) }
        return true
    }
}
