package import HTTP2Session
package import NIOCore
internal import NIOPosix
package import TLSSession

/// A listening socket on which every connection gets a `Connection` with a delegate of its own.
package enum TransportServer {
    /// - Parameters:
    ///   - port: 0 takes a free one; the channel's `localAddress` tells which.
    ///   - makeDelegate: Called on the event loop of each new connection.
    package static func bind<Delegate: ConnectionDelegate>(
        host: String, port: Int, tls: TLSContext, limits: HTTP2Limits, handshakeTimeout: TimeAmount,
        on group: any EventLoopGroup, makeDelegate: @escaping @Sendable (any EventLoop) -> Delegate
    ) -> EventLoopFuture<any Channel> {
        ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 4096)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.recvAllocator, value: receiveAllocator)
            .childChannelOption(.writeBufferWaterMark, value: writeBufferWaterMark)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let connection = Connection(
                        tls: try TLSSession(server: tls), http2: try HTTP2Session(.server, limits: limits),
                        handshakeTimeout: handshakeTimeout, delegate: makeDelegate(channel.eventLoop))
                    try channel.pipeline.syncOperations.addHandler(connection)
                }
            }
            .bind(host: host, port: port)
    }
}
