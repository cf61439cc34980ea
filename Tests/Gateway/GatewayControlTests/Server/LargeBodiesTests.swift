import APNSModel
import GatewayConfiguration
import GatewayControl
import GatewayCore
import GatewayJSON
import GatewayRuntime
import GatewayTestSupport
import GatewayTesting
import NIOCore
import NIOPosix
import Testing

@testable import GatewayServer

/// Large requests and answers, which count as memory of the gateway while they are on their way.
@Suite(.timeLimit(.minutes(10)))
struct LargeBodiesTests {
    /// A gateway whose world makes a file of more than 12 MB, with a limit of memory that has room for one such file.
    private static func withLargeWorld(_ body: (TestGateway) async throws -> Void) async throws {
        var configuration = GatewayConfiguration()
        (configuration.port, configuration.controlPort) = (0, 0)
        configuration.credentials = .given(try TestGateway.credentials.get())
        configuration.memory = 64 << 20
        configuration.devices = .open
        configuration.budgets = .lifted
        try await configuration.run { gateway in
            let payload = #"{"aps":{"alert":"\#(String(repeating: "x", count: 4000))"}}"#
            var head = RequestHead(path: "/3/device/ab12")
            head.topic = gateway.topic.value
            head.pushType = "alert"
            head.priority = "10"
            let requests = Array(
                repeating: CompleteRequest(stream: 1, head: head, body: Array(payload.utf8)), count: 50)
            for _ in 0..<60 {
                var connection = GatewayConnection(environment: .sandbox, role: .control)
                _ = gateway.running.state.judge(requests, on: &connection)
            }
            try await body(gateway)
        }
    }

    @Test func `a large answer arrives whole`() async throws {
        try await Self.withLargeWorld { gateway in
            let whole = try await gateway.control.call("GET", "/api/notifications?limit=1000")
            #expect(whole.status == 200)
            #expect(whole.body.utf8.count > 4_000_000)
            #expect(whole.headers["content-length"] == "\(whole.body.utf8.count)")
            #expect((whole.json["notifications"] as? [Any])?.count == 1000)
        }
    }

    @Test func `while a client does not read its large answer, other large bodies are refused, and small ones go`()
        async throws
    {
        try await Self.withLargeWorld { gateway in
            let (control, memory) = (gateway.control, gateway.running.worlds.memory)
            let slow = try await control.open()
            try await slow.executeThenClose { inbound, outbound in
                try await outbound.write(control.request("GET", "/api/export", nil, [], nil))
                // Its beginning is there, and the rest fills the buffers of the system.
                var parts = inbound.makeAsyncIterator()
                let beginning = try await parts.next()
                #expect(beginning != nil)
                #expect(memory?.bodyBytes ?? 0 > 12_000_000)
                let refused = try await control.call("GET", "/api/export")
                #expect(refused.status == 503, "\(refused.body.prefix(200))")
                #expect(refused.json["type"] as? String == "urn:apns-toolkit:problem:too-many-large-bodies")
                let file = String(repeating: " ", count: 8 << 20)
                #expect(try await control.call("POST", "/api/import", file).status == 503)
                #expect(try await control.call("GET", "/api/notifications?limit=1").status == 200)
                let metrics = try await control.call("GET", "/metrics").body
                #expect(metrics.contains(#"apns_gateway_memory_bytes{use="bodies"} "#))
            }
            // The gateway notices at some time that the client is gone.
            while try await control.call("HEAD", "/api/export").status != 200 {}
            #expect(memory?.bodyBytes == 0)
        }
    }

    @Test(arguments: [[], ["Connection: close"]] as [[String]])
    func `a client that closes its direction after its request gets the whole of a large answer`(headers: [String])
        async throws
    {
        try await Self.withLargeWorld { gateway in
            let (control, memory) = (gateway.control, gateway.running.worlds.memory)
            let channel = try await control.open(canHalfClose: true)
            let answer = try await channel.executeThenClose { inbound, outbound in
                try await outbound.write(control.request("GET", "/api/export", nil, headers, nil))
                outbound.finish()
                var answer: [UInt8] = []
                var parts = inbound.makeAsyncIterator()
                while answer.isEmpty || memory?.bodyBytes != 0, let part = try await parts.next() {
                    answer += part.readableBytesView
                }
                // The end of the answer waits in the connection of a client that does not read now.
                _ = try await control.call("GET", "/health")
                while let part = try await parts.next() { answer += part.readableBytesView }
                return answer
            }
            let headEnd = try #require(answer.firstRange(of: Array("\r\n\r\n".utf8)))
            let head = ControlClient.head(String(decoding: answer[..<headEnd.lowerBound], as: UTF8.self))
            #expect(head.status == 200)
            #expect(head.headers["content-length"] == "\(answer.count - headEnd.upperBound)")
            #expect(answer.count > 12_000_000)
        }
    }

    @Test func `a large answer that is not read in its time ends early, and its memory is free again`() async throws {
        try await Self.withLargeWorld { gateway in
            let worlds = gateway.running.worlds
            let server = try await ControlServer.start(
                ControlAPI(worlds, ControlGuard(host: "127.0.0.1", token: nil)), NoWorldOpener(), host: "127.0.0.1",
                port: 0, maximumConnections: 4, readingTime: ReadingTime(base: .zero, bytesPerSecond: .max),
                on: MultiThreadedEventLoopGroup.singleton, GatewayConfiguration().logger)
            let cut = try await ControlClient(port: server.port).call("GET", "/api/export")
            // The time may be over before the head is sent; it is 0 then.
            #expect([0, 200].contains(cut.status))
            let length = cut.status == 0 ? 1 : Int(cut.headers["content-length"] ?? "") ?? 0
            #expect(cut.status == 0 || length > 12_000_000)
            #expect(cut.body.utf8.count < length)
            // The writer of the answer notices it a little later than the client.
            while worlds.memory?.bodyBytes != 0 { _ = try await gateway.control.call("GET", "/health") }
            // One that counts for nothing has no limit.
            let small = try await ControlClient(port: server.port).call("GET", "/api/notifications?limit=1")
            #expect(small.status == 200 && small.body.hasSuffix("}"))
            await server.stop()
        }
    }
}

/// For a control port whose clients make and remove no worlds.
private struct NoWorldOpener: WorldOpener {
    func open(_ new: ControlAPI.NewWorld) async throws(Problem) -> LiveWorld { throw .notFound }
    func close(_ name: WorldName) async -> Bool { false }
}
