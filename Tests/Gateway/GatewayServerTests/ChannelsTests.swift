import APNSModel
import APNSPayload
import GatewayConfiguration
import GatewayCore
import GatewayServer
import GatewayTestSupport
import Testing

@testable import GatewayTesting

@Suite(.timeLimit(.minutes(10)))
struct ChannelsTests {
    private static let requestID = "9d1f0a52-1111-4222-8333-abcdefabcdef"
    private static let update = #"{"aps":{"timestamp":1800000000,"event":"update","content-state":{"score":3}}}"#
    private static let app = "com.example.agent"

    /// The headers of a request about the channels of the app, signed as those of `fields`.
    private static func fields(
        _ gateway: TestGateway, _ method: String, _ path: String, channel: String? = nil
    ) throws -> [(StaticString, String)] {
        let authorization = try gateway.fields(to: "ab12").first { "\($0.0)" == "authorization" }?.1 ?? ""
        var fields: [(StaticString, String)] = [
            (":method", method), (":scheme", "https"), (":path", path), (":authority", "localhost"),
            ("authorization", authorization), ("apns-request-id", requestID),
        ]
        if let channel { fields.append(("apns-channel-id", channel)) }
        return fields
    }

    private static func broadcast(
        _ gateway: TestGateway, to channel: String, expiration: String
    ) throws -> [(StaticString, String)] {
        try fields(gateway, "POST", "/4/broadcasts/apps/\(app)", channel: channel) + [
            ("apns-push-type", "liveactivity"), ("apns-priority", "10"), ("apns-expiration", expiration),
        ]
    }

    /// Creates a channel over a connection of its own.
    private static func create(_ gateway: TestGateway, port: Int, policy: Int) async throws -> String {
        let sender = try await RawSender(port: port, caPEM: gateway.caPEM)
        var events = sender.observed.makeAsyncIterator()
        try await sender.submit(
            try fields(gateway, "POST", "/1/apps/\(app)/channels"),
            body: #"{"message-storage-policy":\#(policy),"push-type":"LiveActivity"}"#)
        let (answer, _) = await sender.answer(on: 1, &events)
        #expect(answer.headers.prefix(2) == [":status: 201", "apns-request-id: \(requestID)"])
        #expect(answer.headers.count == 3 && answer.body.isEmpty)
        let prefix = "apns-channel-id: "
        let id = try #require(answer.headers.last { $0.hasPrefix(prefix) }).dropFirst(prefix.count)
        try await sender.close()
        return String(id)
    }

    private static func answer(
        _ gateway: TestGateway, port: Int, _ fields: [(StaticString, String)], body: String = ""
    ) async throws -> RawSender.Answer {
        let sender = try await RawSender(port: port, caPEM: gateway.caPEM)
        var events = sender.observed.makeAsyncIterator()
        try await sender.submit(fields, body: body)
        let (answer, _) = await sender.answer(on: 1, &events)
        try await sender.close()
        return answer
    }

    @Test func `channels are managed on their own port and on that for senders`() async throws {
        try await withGateway { gateway in
            for port in [gateway.running.channelPort, gateway.running.port] {
                let id = try await Self.create(gateway, port: port, policy: 0)
                let path = "/1/apps/\(Self.app)/channels"
                let read = try await Self.answer(
                    gateway, port: port, try Self.fields(gateway, "GET", path, channel: id))
                #expect(read.headers == [":status: 200", "apns-request-id: \(Self.requestID)"])
                #expect(read.body == #"{"message-storage-policy":0,"push-type":"LiveActivity"}"#)
                let list = try await Self.answer(
                    gateway, port: port, try Self.fields(gateway, "GET", "/1/apps/\(Self.app)/all-channels"))
                #expect(list.body == #"{"channels":["\#(id)"]}"#)
                let delete = try await Self.answer(
                    gateway, port: port, try Self.fields(gateway, "DELETE", path, channel: id))
                #expect(delete == .init(headers: [":status: 204", "apns-request-id: \(Self.requestID)"], body: ""))
                let gone = try await Self.answer(
                    gateway, port: port, try Self.fields(gateway, "GET", path, channel: id))
                #expect(gone.headers.first == ":status: 400")
                #expect(gone.body == #"{"reason":"ChannelNotRegistered"}"#)
            }
        }
    }

    @Test func `the port for channels takes no notifications, and asks for credentials before it says so`() async throws
    {
        try await withGateway(device: "ab12") { gateway in
            let port = gateway.running.channelPort
            let fields = try gateway.fields(to: "ab12")
            let known = try await Self.answer(gateway, port: port, fields, body: silent)
            #expect(known.body == #"{"reason":"BadPath"}"#)
            let unknown = try await Self.answer(
                gateway, port: port, fields.filter { "\($0.0)" != "authorization" }, body: silent)
            #expect(unknown.body == #"{"reason":"MissingProviderToken"}"#)
        }
    }

    @Test func `a list of many channels comes whole`() async throws {
        try await withGateway { gateway in
            let port = gateway.running.channelPort
            let sender = try await RawSender(port: port, caPEM: gateway.caPEM)
            var events = sender.observed.makeAsyncIterator()
            let create = try Self.fields(gateway, "POST", "/1/apps/\(Self.app)/channels")
            let body = #"{"message-storage-policy":0,"push-type":"LiveActivity"}"#
            try await sender.submit(create, body: body)
            _ = await sender.answer(on: 1, &events)
            try await sender.submit(Array(repeating: create, count: 900), body: body)
            _ = await sender.answer(on: 1801, &events)
            try await sender.submit(
                try Self.fields(gateway, "GET", "/1/apps/\(Self.app)/all-channels").map {
                    "\($0.0)" == "authorization" ? create[4] : $0
                }, body: "")
            let (answer, _) = await sender.answer(on: 1803, &events)
            #expect(answer.body.split(separator: ",").count == 901)
            try await sender.close()
        }
    }

    @Test func `a broadcast reaches the device that subscribes, and shows its channel`() async throws {
        try await withGateway { gateway in
            let id = try await Self.create(gateway, port: gateway.running.channelPort, policy: 1)
            let registered = try await gateway.control.call(
                "POST", "/api/devices", #"{"topic":"com.example.agent","token":"ab12"}"#)
            #expect(registered.status == 201)
            let patched = try await gateway.control.call("PATCH", "/api/devices/ab12", #"{"channels":["\#(id)"]}"#)
            #expect(patched.status == 200)
            #expect(patched.body.contains(#""channels":["\#(id)"]"#))
            try await gateway.control.events("/api/devices/ab12/deliveries") { events in
                let expiration = String(gateway.running.now / 1000 + 3600)
                let answer = try await Self.answer(
                    gateway, port: gateway.running.port,
                    try Self.broadcast(gateway, to: id, expiration: expiration), body: Self.update)
                #expect(answer.headers == [":status: 200", "apns-request-id: \(Self.requestID)"])
                let event = try #require(try await events.next())
                #expect(event.data.contains(#""token":"ab12","apns-channel-id":"\#(id)""#))
                #expect(event.data.contains(#""apns-topic":"com.example.agent.push-type.liveactivity""#))
                #expect(event.data.contains(#""apns-request-id":"\#(Self.requestID)""#))
                #expect(event.data.contains(#""score":3"#))
                let journal = try await gateway.control.call("GET", "/api/notifications?request=broadcast")
                #expect(journal.body.contains(#""total":1"#))
                #expect(journal.body.contains(#""apns-channel-id":"\#(id)""#))
                let one = try await gateway.control.call("GET", "/api/notifications/\(event.id ?? "")")
                #expect(one.body.contains(#""stage":"delivered""#))
            }
            let channels = try await gateway.control.call("GET", "/api/channels?topic=com.example.agent")
            #expect(channels.body.hasPrefix(#"{"total":1,"channels":[{"apns-channel-id":"\#(id)""#))
            #expect(channels.body.contains(#""subscribers":1,"stored":{"apns-unique-id":""#))
        }
    }

    @Test func `a test expects broadcasts by channel, app and payload`() async throws {
        try await withGateway { gateway in
            let id = try await Self.create(gateway, port: gateway.running.channelPort, policy: 1)
            let fields = try Self.broadcast(gateway, to: id, expiration: "\(gateway.running.now / 1000 + 3600)")
            _ = try await Self.answer(gateway, port: gateway.running.port, fields, body: Self.update)
            let score: PayloadValue = ["aps": ["content-state": ["score": 3]]]
            await gateway.expect(
                .acceptedBroadcast(to: id, app: Self.app, priority: .immediate, payload: score), count: .once)
            await gateway.expect(.accepted(), count: .never)
            await gateway.expect(.deliveredBroadcast(to: id), count: .never)
            let device = try gateway.device()
            try device.subscribe(to: [id])
            await gateway.expect(.deliveredBroadcast(to: id, app: Self.app), count: .once)
            _ = try await Self.answer(
                gateway, port: gateway.running.port, try Self.broadcast(gateway, to: "AAAA", expiration: "0"),
                body: Self.update)
            await gateway.expect(.refusedBroadcast(to: "AAAA"), count: .once)
            let result = await gateway.check(.refusedBroadcast(.badChannelID, to: id), within: .zero)
            #expect(!result.isMet)
            #expect(
                result.expected.description
                    == "refused broadcast with apns-channel-id \(id), reason BadChannelId", "\(result.expected)")
        }
    }

    @Test func `the ready line names the port, and a second gateway takes another`() async throws {
        try await withGateway { gateway in
            #expect(gateway.running.readyLine.contains(#""channels":"https://127.0.0.1:"#))
            var configuration = GatewayConfiguration()
            configuration.port = 0
            configuration.controlPort = 0
            configuration.channelPort = gateway.running.channelPort
            configuration.credentials = .given(gateway.running.credentials)
            let taken = configuration
            let fault = await #expect(throws: GatewayError.self) { try await GatewayServer(taken).start() }
            #expect(fault?.detail.contains("--channel-port 0 takes a free one") == true)
            configuration.channelPort = nil
            let second = try await GatewayServer(configuration).start()
            #expect(second.channelPort != gateway.running.channelPort)
            await second.shutdown()
        }
    }
}
