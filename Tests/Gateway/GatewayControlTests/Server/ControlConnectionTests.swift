import NIOCore
import NIOEmbedded
import NIOHTTP1
import Synchronization
import Testing

@testable import GatewayControl
@testable import HTTPServing

/// On a channel whose time the test advances.
struct ControlConnectionTests {
    private final class Calls: Sendable {
        let count = Mutex(0)
    }

    /// A client that reads nothing at first: what is sent to it waits.
    private final class Unread: ChannelOutboundHandler {
        typealias OutboundIn = HTTPServerResponsePart

        private var isReading = false

        func flush(context: ChannelHandlerContext) {
            if isReading { context.flush() }
        }

        func read(_ channel: EmbeddedChannel) {
            isReading = true
            channel.flush()
        }
    }

    private let channel: EmbeddedChannel
    private let calls = Calls()

    init() throws {
        channel = EmbeddedChannel(handler: ControlConnection())
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    private func head(
        _ method: HTTPMethod = .POST, _ version: HTTPVersion = .http1_1, _ headers: HTTPHeaders = [:]
    ) throws {
        let head = HTTPRequestHead(version: version, method: method, uri: "/", headers: headers)
        try channel.writeInbound(HTTPServerRequestPart.head(head))
    }

    private func body(_ text: String) throws {
        try channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(string: text)))
    }

    private func end() throws { try channel.writeInbound(HTTPServerRequestPart.end(nil)) }

    private func answer(_ headers: HTTPHeaders = [:]) throws {
        let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: headers)
        try channel.writeOutbound(HTTPServerResponsePart.head(head))
        try channel.writeOutbound(HTTPServerResponsePart.end(nil))
    }

    private func answerHead() throws -> HTTPResponseHead? {
        while let part = try channel.readOutbound(as: HTTPServerResponsePart.self) {
            if case .head(let head) = part { return head }
        }
        return nil
    }

    private func pass(_ amount: TimeAmount) { channel.embeddedEventLoop.advanceTime(by: amount) }

    private func wait() {
        ControlConnection.whenAbandoned(channel) { [calls] in calls.count.withLock { $0 += 1 } }
        channel.embeddedEventLoop.run()
    }

    private var abandoned: Int { calls.count.withLock { $0 } }

    @Test func `a connection without a head is closed after 10 seconds`() {
        pass(.seconds(9))
        #expect(channel.isActive)
        pass(.seconds(1))
        #expect(!channel.isActive)
    }

    @Test func `a body that trickles is answered with 408 after 20 seconds, and the connection is closed`() throws {
        try head()
        for _ in 1...19 {
            pass(.seconds(1))
            try body("x")
        }
        #expect(try answerHead() == nil)
        pass(.seconds(1))
        let head = try #require(try answerHead())
        #expect(head.status == .requestTimeout && head.headers["connection"] == ["close"])
        // The answer of the server comes too late.
        #expect(throws: ChannelError.ioOnClosedChannel) { try answer() }
        #expect(try answerHead() == nil)
        pass(.seconds(2))
        #expect(!channel.isActive)
        // The server does not take what has come for the whole body.
        #expect(throws: HTTPParserError.self) { try channel.throwIfErrorCaught() }
    }

    @Test(arguments: [false, true])
    func `a body that ends with its connection is an error, and a whole one is none`(isWhole: Bool) throws {
        for isHalfClosed in [true, false] {
            let channel = EmbeddedChannel(handler: ControlConnection())
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/")
            try channel.writeInbound(HTTPServerRequestPart.head(head))
            try channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(string: "x")))
            if isWhole { try channel.writeInbound(HTTPServerRequestPart.end(nil)) }
            if isHalfClosed {
                channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            } else {
                channel.close(promise: nil)
            }
            if isWhole {
                try channel.throwIfErrorCaught()
            } else {
                #expect(throws: HTTPParserError.self) { try channel.throwIfErrorCaught() }
            }
        }
    }

    @Test(arguments: [false, true])
    func `what is not HTTP gets one answer, and the connection is closed`(inBody: Bool) throws {
        if inBody { try head() }
        channel.pipeline.fireErrorCaught(inBody ? HTTPParserError.invalidChunkSize : .invalidMethod)
        let head = try #require(try answerHead())
        #expect(head.status == (inBody ? .badRequest : .notImplemented) && head.headers["connection"] == ["close"])
        // The client sends more of it.
        channel.pipeline.fireErrorCaught(HTTPParserError.invalidMethod)
        #expect(throws: ChannelError.ioOnClosedChannel) { try answer() }
        #expect(try answerHead() == nil)
        pass(.seconds(2))
        #expect(!channel.isActive)
        if inBody { #expect(throws: HTTPParserError.self) { try channel.throwIfErrorCaught() } }
    }

    @Test func `an answer may take any time once the request is complete`() throws {
        try head()
        try body("x")
        try end()
        pass(.hours(1))
        #expect(channel.isActive)
        try answer()
        #expect(try answerHead()?.headers["connection"] == [])
        pass(.seconds(59))
        try head(.GET)
        try end()
        try answer()
        pass(.seconds(59))
        #expect(channel.isActive)
        pass(.seconds(1))
        #expect(!channel.isActive)
    }

    @Test func `a request that is answered before its body is complete ends the connection`() throws {
        try head()
        try answer()
        #expect(try answerHead()?.headers["connection"] == ["close"])
        // What still comes is not passed on.
        while try channel.readInbound(as: HTTPServerRequestPart.self) != nil {}
        try body("x")
        #expect(try channel.readInbound(as: HTTPServerRequestPart.self) == nil)
        pass(.seconds(2))
        #expect(!channel.isActive)
    }

    private func askForBody() {
        ControlConnection.askForBody(channel)
        channel.embeddedEventLoop.run()
    }

    @Test func `a client that holds its body back is asked for it once`() throws {
        try head(.POST, .http1_1, ["expect": "100-Continue"])
        #expect(try answerHead() == nil)
        askForBody()
        #expect(try answerHead()?.status == .continue)
        askForBody()
        #expect(try answerHead() == nil)
        try body("x")
        try end()
        try answer()
        let last = try answerHead()
        #expect(last?.status == .ok && last?.headers["connection"] == [])
    }

    @Test func `no other client is asked for its body`() throws {
        // Its body comes anyway.
        try head(.POST, .http1_1, ["expect": "100-continue"])
        try body("x")
        askForBody()
        try end()
        try answer()
        #expect(try answerHead()?.status == .ok)
        // It expects nothing.
        try head()
        askForBody()
        #expect(try answerHead() == nil)
        try end()
        try answer()
        #expect(try answerHead()?.status == .ok)
        // HTTP/1.0 does not know it (RFC 9110, 10.1.1).
        try head(.POST, .http1_0, ["expect": "100-continue"])
        askForBody()
        #expect(try answerHead() == nil)
    }

    @Test func `a connection of HTTP/1.0 ends with its answer`() throws {
        try head(.GET, .http1_0)
        try end()
        try answer(["transfer-encoding": "chunked"])
        let head = try #require(try answerHead())
        #expect(head.version == .http1_0 && head.headers["connection"] == ["close"])
        #expect(head.headers["transfer-encoding"] == [])
        pass(.seconds(2))
        #expect(!channel.isActive)
    }

    @Test func `a connection of HTTP/1.0 stays open where its client asks for it and the length is known`() throws {
        for _ in 1...2 {
            try head(.GET, .http1_0, ["connection": "keep-alive"])
            try end()
            try answer(["content-length": "0"])
            #expect(try answerHead()?.headers["connection"] == ["keep-alive"])
            pass(.seconds(59))
            #expect(channel.isActive)
        }
        try head(.GET, .http1_0, ["connection": "keep-alive"])
        try end()
        try answer()
        #expect(try answerHead()?.headers["connection"] == ["close"])
        pass(.seconds(2))
        #expect(!channel.isActive)
    }

    @Test func `nothing is read behind a request that is the last of its connection`() throws {
        try head(.GET, .http1_1, ["connection": "TE, Close"])
        try end()
        while try channel.readInbound(as: HTTPServerRequestPart.self) != nil {}
        try head(.GET)
        try end()
        #expect(try channel.readInbound(as: HTTPServerRequestPart.self) == nil)
        try answer()
        #expect(try answerHead()?.headers["connection"] == ["close"])
        pass(.seconds(2))
        #expect(!channel.isActive)
    }

    @Test func `a client that reads nothing of its answer for a minute is disconnected`() throws {
        func become(writable isWritable: Bool) {
            channel.isWritable = isWritable
            channel.pipeline.fireChannelWritabilityChanged()
        }
        try head(.GET)
        try end()
        become(writable: false)
        pass(.seconds(59))
        #expect(channel.isActive)
        // It reads some.
        become(writable: true)
        pass(.seconds(59))
        become(writable: false)
        pass(.seconds(59))
        #expect(channel.isActive)
        pass(.seconds(1))
        #expect(!channel.isActive)
    }

    @Test func `the system buffers little of an answer, so that slow reading is noticed as reading`() {
        let options = channel.options.filter { $0.option is ChannelOptions.Types.SocketOption }
        let values = options.compactMap { $0.value as? SocketOptionValue }
        #expect(values == [ControlConnection.systemBuffer])
    }

    @Test func `a client that closes its direction abandons its request, once`() throws {
        try head()
        try end()
        wait()
        #expect(abandoned == 0)
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(abandoned == 1)
        _ = try? channel.finish()
        #expect(abandoned == 1)
    }

    @Test func `a client that disconnects, or sends the next request, abandons its request`() throws {
        try head()
        try end()
        wait()
        try head(.GET)
        #expect(abandoned == 1)
        // Two answers are due: whoever waits from now on is abandoned already.
        wait()
        #expect(abandoned == 2)
        _ = try? channel.finish()
        wait()
        #expect(abandoned == 3)
    }

    @Test func `an answered request is not abandoned`() throws {
        try head()
        try end()
        wait()
        try answer()
        _ = try? channel.finish()
        #expect(abandoned == 0)
    }

    /// Sends a request, closes the direction of its client, and writes an answer that waits because the client does not read.
    private func answerHalfClosed(_ headers: HTTPHeaders = [:]) throws -> Unread {
        let client = Unread()
        try channel.pipeline.syncOperations.addHandlers([client, HalfClosure()], position: .first)
        try head(.GET, .http1_1, headers)
        try end()
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        let response = HTTPResponseHead(version: .http1_1, status: .ok)
        channel.write(HTTPServerResponsePart.head(response), promise: nil)
        channel.write(HTTPServerResponsePart.end(nil), promise: nil)
        return client
    }

    @Test(arguments: [[:], ["connection": "close"]] as [HTTPHeaders])
    func `a client that closes its direction gets the end of its answer, however slowly it reads`(headers: HTTPHeaders)
        throws
    {
        let client = try answerHalfClosed(headers)
        // The server has no more requests, and closes its own direction.
        channel.close(mode: .output, promise: nil)
        #expect(channel.isActive)
        client.read(channel)
        #expect(!channel.isActive)
        #expect(try answerHead()?.status == .ok)
    }

    @Test(arguments: [[:], ["connection": "close"]] as [HTTPHeaders])
    func `a client that closes its direction and reads nothing is disconnected after a minute`(headers: HTTPHeaders)
        throws
    {
        let client = try answerHalfClosed(headers)
        channel.close(mode: .output, promise: nil)
        pass(.seconds(59))
        #expect(channel.isActive)
        pass(.seconds(1))
        #expect(!channel.isActive)
        client.read(channel)
    }

    @Test func `a server that stops does not wait for a client that closed its direction and reads nothing`() throws {
        let client = try answerHalfClosed()
        channel.close(mode: .output, promise: nil)
        channel.close(mode: .input, promise: nil)
        #expect(!channel.isActive)
        client.read(channel)
    }
}
