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

/// Where a client connects to, and how it verifies the peer.
package struct TransportEndpoint: Sendable {
    package var host: String
    package var port: Int
    package var tls: TLSContext
    /// The name that the peer's certificate must have.
    package var serverName: String
    /// Opens the connection to `host`; nil connects to it directly.
    package var proxy: TransportProxy?

    package init(
        host: String, port: Int, tls: TLSContext, serverName: String? = nil, proxy: TransportProxy? = nil
    ) {
        self.host = host
        self.port = port
        self.tls = tls
        self.serverName = serverName ?? host
        self.proxy = proxy
    }

    /// The name to resolve. Every name below `localhost` is this machine (RFC 6761 6.3), but not every resolver knows that.
    var address: String {
        let name = host.lowercased()
        return name.hasSuffix(".localhost") || name.hasSuffix(".localhost.") ? "localhost" : host
    }
}

package enum TransportClient {
    /// Whether `connect` works on an event loop: it must be one of NIOPosix.
    package static func canConnect(on eventLoop: any EventLoop) -> Bool {
        ClientBootstrap(validatingGroup: eventLoop) != nil
    }

    /// Opens one connection. It resolves the host name each time, so that load spreads as Apple asks; through a proxy, the
    /// proxy resolves it.
    ///
    /// Call it on `eventLoop`. The result is an error when TCP cannot be opened, or the proxy opens no tunnel; after that the
    /// delegate gets all errors.
    ///
    /// - Parameters:
    ///   - timeout: The limit for TCP, TLS with the proxy and its answer together, and then again for TLS.
    ///   - resolver: Nil is the system's.
    package static func connect<Delegate: ConnectionDelegate>(
        to endpoint: TransportEndpoint, limits: HTTP2Limits, timeout: TimeAmount, on eventLoop: any EventLoop,
        resolver: (any Resolver & Sendable)? = nil, delegate: Delegate
    ) -> EventLoopFuture<Void> {
        let bound = NIOLoopBound(delegate, eventLoop: eventLoop)
        return openChannel(to: endpoint, timeout: timeout, on: eventLoop, resolver: resolver) { channel in
            let connection = Connection(
                tls: try TLSSession(client: endpoint.tls, serverName: endpoint.serverName),
                http2: try HTTP2Session(.client, limits: limits), handshakeTimeout: timeout, delegate: bound.value)
            try channel.pipeline.syncOperations.addHandler(connection)
        }
    }

    /// Opens a channel to `endpoint`, through its proxy, for another protocol than HTTP/2. The context of the endpoint is not
    /// used.
    ///
    /// - Parameters:
    ///   - timeout: The limit for TCP, TLS with the proxy and its answer together.
    ///   - open: Adds the handlers to the channel, which is connected. They must wait for nothing but what they ask for.
    package static func openChannel(
        to endpoint: TransportEndpoint, timeout: TimeAmount, on eventLoop: any EventLoop,
        resolver: (any Resolver & Sendable)? = nil, open: @escaping @Sendable (any Channel) throws -> Void
    ) -> EventLoopFuture<Void> {
        // Each address of a host name is tried with a new channel, so only the connected channel gets the handler. Both TLS
        // and proxies wait for the client, so no bytes are missed.
        let deadline = NIODeadline.now() + timeout
        return ClientBootstrap(group: eventLoop)
            .resolver(resolver)
            .connectTimeout(timeout)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.recvAllocator, value: receiveAllocator)
            .channelOption(.writeBufferWaterMark, value: writeBufferWaterMark)
            .connect(host: endpoint.proxy?.host ?? endpoint.address, port: endpoint.proxy?.port ?? endpoint.port)
            .flatMap { channel in
                let promise = eventLoop.makePromise(of: Void.self)
                do {
                    if let proxy = endpoint.proxy {
                        let target = TransportProxy.authority(endpoint.address, endpoint.port)
                        let pipeline = channel.pipeline.syncOperations
                        if let tls = proxy.tls {
                            // Its errors reach the handler behind it, so its own promise is not needed.
                            try pipeline.addHandler(
                                TLSHandler(
                                    TLSSession(client: tls, serverName: proxy.host),
                                    ready: eventLoop.makePromise(of: Void.self)))
                        }
                        try pipeline.addHandler(
                            ProxyHandler(proxy, target: target, deadline: deadline, promise: promise, open: open))
                    } else {
                        try open(channel)
                        promise.succeed()
                    }
                } catch {
                    channel.close(promise: nil)
                    promise.fail(error)
                }
                return promise.futureResult
            }
            .flatMapErrorThrowing { error in throw TransportError.connecting(to: endpoint, error) }
    }
}

/// One read has up to 64 KiB, so that answers are handled in large batches.
let receiveAllocator = AdaptiveRecvByteBufferAllocator(minimum: 2048, initial: 16384, maximum: 65536)

/// While more than this waits for the socket, frames stay in nghttp2, where they count as not sent.
let writeBufferWaterMark = ChannelOptions.Types.WriteBufferWaterMark(low: 128 << 10, high: 512 << 10)

extension TransportError {
    /// The error for a failed connect, with the address in its sentence.
    static func connecting(to endpoint: TransportEndpoint, _ error: any Error) -> TransportError {
        let proxy = endpoint.proxy
        let address = proxy.map { "the proxy \($0.name)" } ?? "\(endpoint.host):\(endpoint.port)"
        switch error {
        case let error as TransportError: return error
        case let error as TLSError:
            return TransportError(
                .handshakeFailed, "\(endpoint.host):\(endpoint.port): \(error)", isPermanent: true)
        case let error as NIOConnectionError:
            if let cause = error.connectionErrors.first?.error {
                return TransportError(.connectFailed, "cannot connect to \(address): \(description(of: cause))")
            }
            let name = proxy.map { "\($0.host) of the proxy" } ?? endpoint.host
            return TransportError(.connectFailed, "cannot find the host \(name)")
        default:
            return TransportError(.connectFailed, "cannot connect to \(address): \(description(of: error))")
        }
    }

    /// The text of a system error, without the name of the call that NIO puts before it.
    package static func description(of error: any Error) -> String {
        switch error {
        case let error as IOError where error.errnoCode == ECONNREFUSED: "connection refused, nothing listens there"
        case let error as IOError: String(cString: strerror(error.errnoCode))
        case ChannelError.connectTimeout: "no answer in time"
        default: "\(error)"
        }
    }
}
