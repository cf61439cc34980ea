import APNSProvider
import COpenSSL
import Foundation
import NIOCore
import NIOPosix
import ProviderToken
import Synchronization
import TLSSession

/// A server on a loopback port that breaks TCP, TLS or HTTP/2 in one way.
struct HostileListener: Sendable {
    /// What it does on each connection.
    struct Script: Sendable {
        /// Nil speaks no TLS.
        var tls: TLSContext?
        var onAccept: @Sendable (HostilePeer) throws -> Void = { _ in }
        /// Once the TLS handshake is done.
        var onHandshake: @Sendable (HostilePeer) throws -> Void = { $0.perform($0.server.opening) }
        /// Once a request is complete; nil does what `server` does.
        var onRequest: (@Sendable (HostilePeer, _ stream: Int32) throws -> Void)?
        /// Sends TLS in pieces of this many bytes.
        var piece: Int?
        /// Sends no more than this many bytes of TLS.
        var limit = Int.max
        /// Whether TCP ends at that limit.
        var endsAtLimit = false
        var server = HostileServer()
    }

    private final class Counter: Sendable {
        let value = Atomic(0)
    }

    let port: Int
    private let accepted: Counter
    /// The TCP connections so far.
    var connections: Int { accepted.value.load(ordering: .sequentiallyConsistent) }

    /// A listener for the length of `body`.
    static func with<Result>(
        _ script: Script, _ body: (HostileListener) async throws -> Result
    ) async throws -> Result {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let accepted = Counter()
        do {
            let channel = try await ServerBootstrap(group: group)
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                .childChannelInitializer { channel in
                    accepted.value.add(1, ordering: .sequentiallyConsistent)
                    return channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(HostilePeer(script))
                    }
                }
                .bind(host: "127.0.0.1", port: 0).get()
            let result = try await body(HostileListener(port: channel.localAddress?.port ?? 0, accepted: accepted))
            try await group.shutdownGracefully()
            return result
        } catch {
            try await group.shutdownGracefully()
            throw error
        }
    }
}

/// One connection of a `HostileListener`.
final class HostilePeer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// A TLS session in a class, so that a closure can change it.
    final class TLSEnd {
        var session: TLSSession

        init(_ context: TLSContext) throws { session = try TLSSession(server: context) }
    }

    private let script: HostileListener.Script
    private let tls: TLSEnd?
    private var conversation: HostileConversation
    private var context: ChannelHandlerContext?
    private var isOpen = false
    private var sent = 0

    var server: HostileServer { script.server }

    init(_ script: HostileListener.Script) throws {
        self.script = script
        tls = try script.tls.map { try TLSEnd($0) }
        conversation = HostileConversation(script.server)
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelActive(context: ChannelHandlerContext) {
        self.context = context
        try? script.onAccept(self)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let tls else { return }
        let buffer = unwrapInboundIn(data)
        do {
            try buffer.withUnsafeReadableBytes { try tls.session.receive($0) }
            if !isOpen, try tls.session.handshake() == .done {
                isOpen = true
                writeTLS()
                try script.onHandshake(self)
            }
            if isOpen { try read(tls) }
        } catch {}
        writeTLS()
    }

    private func read(_ tls: TLSEnd) throws {
        var buffer = [UInt8](repeating: 0, count: 65536)
        while case .bytes(let count) = try buffer.withUnsafeMutableBytes({ try tls.session.read(into: $0) }) {
            let bytes = Array(buffer[..<count])
            guard let onRequest = script.onRequest else {
                perform(conversation.received(bytes, isHostile: true))
                continue
            }
            let before = conversation.lastStream
            _ = conversation.received(bytes, isHostile: true)
            if conversation.lastStream != before { try onRequest(self, conversation.lastStream) }
        }
    }

    // MARK: What a script does

    func perform(_ acts: [HostileServer.Act]) {
        for act in acts {
            switch act {
            case .send(let bytes): send(bytes)
            case .flood(let frame, let count): send(Array(repeatElement(frame, count: count).joined()))
            case .close: close()
            }
        }
    }

    /// Sends bytes of HTTP/2.
    func send(_ bytes: [UInt8]) {
        guard let tls else { return }
        try? bytes.withUnsafeBytes { try tls.session.write($0) }
        writeTLS()
    }

    /// Sends bytes beside TLS.
    func sendRaw(_ bytes: [UInt8]) { context?.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil) }

    /// Sends what TLS has to send.
    private func writeTLS() {
        let bytes = takeTLS().prefix(max(0, script.limit - sent))
        sent += bytes.count
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = rest.prefix(script.piece ?? rest.count)
            rest = rest.dropFirst(part.count)
            sendRaw(Array(part))
        }
        if script.endsAtLimit, sent >= script.limit { closeTCP() }
    }

    private func takeTLS() -> [UInt8] {
        guard let tls else { return [] }
        return [UInt8](unsafeUninitializedCapacity: tls.session.pendingCiphertextBytes) { bytes, count in
            count = tls.session.takeCiphertext(into: UnsafeMutableRawBufferPointer(bytes))
        }
    }

    /// Lets TLS find a fault in what the client sent, so that it sends an alert.
    func sendAlert() {
        let record: [UInt8] = [23, 3, 3, 0, 32] + [UInt8](repeating: 1, count: 32)
        try? record.withUnsafeBytes { try tls?.session.receive($0) }
        var buffer = [UInt8](repeating: 0, count: 100)
        _ = try? buffer.withUnsafeMutableBytes { try tls?.session.read(into: $0) }
        writeTLS()
    }

    /// Changes OpenSSL's session.
    func withSession(_ body: (OpaquePointer) -> Void) {
        tls?.session.withHandle(body)
        writeTLS()
    }

    /// Ends TLS in order, and keeps TCP open.
    func closeTLS() {
        tls?.session.close()
        writeTLS()
    }

    /// Ends TLS and TCP in order.
    func close() {
        closeTLS()
        closeTCP()
    }

    func closeTCP() { context?.close(promise: nil) }

    /// Sends nothing more, and still reads.
    func closeOutput() { context?.close(mode: .output, promise: nil) }

    /// Ends TCP with RST.
    func reset() {
        guard let channel = context?.channel else { return }
        (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenFailure { _ in }
        channel.close(promise: nil)
    }
}
