#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif
package import HTTP2Session
package import NIOCore
package import NIOPosix
package import TLSSession

/// Where a client connects to, and how it knows the peer.
package struct TransportEndpoint: Sendable {
    package var host: String
    package var port: Int
    package var tls: TLSContext
    /// The name that the peer's certificate has to carry.
    package var serverName: String

    package init(host: String, port: Int, tls: TLSContext, serverName: String? = nil) {
        self.host = host
        self.port = port
        self.tls = tls
        self.serverName = serverName ?? host
    }

    /// What is resolved: every name below `localhost` is this machine (RFC 6761, 6.3), which not every resolver knows.
    var address: String {
        let name = host.lowercased()
        return name.hasSuffix(".localhost") || name.hasSuffix(".localhost.") ? "localhost" : host
    }
}

package enum TransportClient {
    /// Opens one connection. The host name is resolved anew each time, so that load spreads as Apple asks.
    ///
    /// Call it on `eventLoop`. The result is a failure when TCP could not be opened; from then on the delegate hears what
    /// becomes of the connection.
    ///
    /// - Parameters:
    ///   - timeout: For TCP, and again for TLS.
    ///   - resolver: Nil is the system's.
    package static func connect<Delegate: ConnectionDelegate>(
        to endpoint: TransportEndpoint, limits: HTTP2Limits, timeout: TimeAmount, on eventLoop: any EventLoop,
        resolver: (any Resolver & Sendable)? = nil, delegate: Delegate
    ) -> EventLoopFuture<Void> {
        // A host name may have several addresses, and each try makes a channel: only the one that is connected gets the
        // handler. TLS clients speak first, so nothing has come in by then.
        let bound = NIOLoopBound(delegate, eventLoop: eventLoop)
        return ClientBootstrap(group: eventLoop)
            .resolver(resolver)
            .connectTimeout(timeout)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.recvAllocator, value: receiveAllocator)
            .channelOption(.writeBufferWaterMark, value: writeBufferWaterMark)
            .connect(host: endpoint.address, port: endpoint.port)
            .flatMapThrowing { channel in
                do {
                    let connection = Connection(
                        tls: try TLSSession(client: endpoint.tls, serverName: endpoint.serverName),
                        http2: try HTTP2Session(.client, limits: limits), handshakeTimeout: timeout,
                        delegate: bound.value)
                    try channel.pipeline.syncOperations.addHandler(connection)
                } catch {
                    channel.close(promise: nil)
                    throw error
                }
            }
            .flatMapErrorThrowing { error in throw TransportError.connecting(to: endpoint, error) }
    }
}

/// One read takes up to 64 KiB, so that answers are handled in large batches.
let receiveAllocator = AdaptiveRecvByteBufferAllocator(minimum: 2048, initial: 16384, maximum: 65536)

/// Frames stay in nghttp2 while more than this waits for the socket: what is still there counts as not sent.
let writeBufferWaterMark = ChannelOptions.Types.WriteBufferWaterMark(low: 128 << 10, high: 512 << 10)

extension TransportError {
    /// Turns what NIO says of a failed connect into a sentence with the address in it.
    static func connecting(to endpoint: TransportEndpoint, _ error: any Error) -> TransportError {
        let address = "\(endpoint.host):\(endpoint.port)"
        switch error {
        case let error as TLSError:
            return TransportError(.handshakeFailed, "\(address): \(error)", isPermanent: true)
        case let error as NIOConnectionError:
            if let cause = error.connectionErrors.first?.error {
                return TransportError(.connectFailed, "cannot connect to \(address): \(words(for: cause))")
            }
            return TransportError(.connectFailed, "cannot find the host \(endpoint.host)")
        default:
            return TransportError(.connectFailed, "cannot connect to \(address): \(words(for: error))")
        }
    }

    /// A system error in words, without the name of the call that NIO puts before it.
    static func words(for error: any Error) -> String {
        switch error {
        case let error as IOError where error.errnoCode == ECONNREFUSED: "connection refused, nothing listens there"
        case let error as IOError: String(cString: strerror(error.errnoCode))
        case ChannelError.connectTimeout: "no answer in time"
        default: "\(error)"
        }
    }
}
