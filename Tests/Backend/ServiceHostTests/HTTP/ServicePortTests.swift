import NIOCore
import NIOPosix
import ServiceHost
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ServicePortTests {
    @Test(arguments: ["", "Connection: close\r\n"])
    func `a client that closes its direction after its request gets the whole of a large answer`(header: String)
        async throws
    {
        // Far more than the system keeps for a connection.
        let length = 32 << 20
        let port = try await ServicePort.open(.init(maximumBodyBytes: 1000), name: "test") { _ in
            .response(ServiceResponse(status: 200, body: [UInt8](repeating: 120, count: length)))
        }
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connect(host: "127.0.0.1", port: port.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(isOutboundHalfClosureEnabled: true))
                }
            }
        let received = try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: localhost\r\n\(header)\r\n"))
            outbound.finish()
            var bytes = 0
            for try await part in inbound { bytes += part.readableBytes }
            return bytes
        }
        await port.stop()
        #expect(received > length)
    }
}
