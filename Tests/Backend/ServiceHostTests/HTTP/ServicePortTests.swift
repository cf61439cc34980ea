import NIOCore
import NIOPosix
import ServiceHost
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

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

    @Test(arguments: [
        (EADDRINUSE, "port 8446 on 127.0.0.1 is in use by another program", "--port 0 takes a free one"),
        (EACCES, "port 8446 on 127.0.0.1 is only for privileged processes", "pass a --port from 1024 on"),
        (EADDRNOTAVAIL, "127.0.0.1 is not an address of this machine", "pass another --host"),
        (EIO, "port 8446 on 127.0.0.1 cannot be opened", "pass another --host or --port"),
    ])
    func `a port that cannot be opened has a reason and a next step`(code: CInt, reason: String, advice: String) {
        let error = ServicePort.StartError(binding: "127.0.0.1", 8446, IOError(errnoCode: code, reason: "bind"))
        #expect(error.description.hasPrefix(reason) && error.description.contains(advice))
        #expect(code == EIO || !error.description.contains("errno"))
    }

    @Test func `a port in use is named, not the call that failed`() async throws {
        var options = ServicePort.Options(maximumBodyBytes: 1000)
        let first = try await ServicePort.open(options, name: "test") { _ in .close }
        options.port = first.port
        let second = options
        let error = await #expect(throws: ServicePort.StartError.self) {
            try await ServicePort.open(second, name: "test") { _ in .close }
        }
        await first.stop()
        #expect(error?.description.hasPrefix("port \(first.port) on 127.0.0.1 is in use") == true)
    }
}
