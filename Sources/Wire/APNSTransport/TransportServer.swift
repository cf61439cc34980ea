package import HTTP2Session
package import NIOCore
internal import NIOPosix
package import TLSSession

/// A listening socket. Each client gets a delegate, and with its first bytes a `Connection`.
package enum TransportServer {
    /// - Parameters:
    ///   - port: 0 chooses a free one, which is in the channel's `localAddress`.
    ///   - handshakeTimeout: The limit for the first bytes of a client, and then again for TLS.
    ///   - makeDelegate: Called on the event loop of each new client, with its channel.
    package static func bind<Delegate: ConnectionDelegate>(
        host: String, port: Int, tls: TLSContext, limits: HTTP2Limits, handshakeTimeout: TimeAmount,
        on group: any EventLoopGroup, makeDelegate: @escaping @Sendable (any Channel) -> Delegate
    ) -> EventLoopFuture<any Channel> {
        ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 4096)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.recvAllocator, value: receiveAllocator)
            .childChannelOption(.writeBufferWaterMark, value: writeBufferWaterMark)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        FirstBytesHandler(delegate: makeDelegate(channel), timeout: handshakeTimeout) {
                            Connection(
                                tls: try TLSSession(server: tls), http2: try HTTP2Session(.server, limits: limits),
                                handshakeTimeout: handshakeTimeout, delegate: $0)
                        })
                }
            }
            .bind(host: host, port: port)
    }
}
