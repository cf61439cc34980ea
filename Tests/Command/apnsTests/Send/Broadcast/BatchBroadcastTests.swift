import APNSModel
import APNSPayload
import APNSProvider
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import apns

struct BatchBroadcastTests {
    private static let payload = #"{"aps":{"timestamp":1,"event":"update","content-state":{}}}"#
    private static let id = "dHN0LXNyY2gtY2hubA=="

    private static func items(_ text: String, channelID: ChannelID? = nil, validates: Bool = true) throws -> [String] {
        try withTemporaryFile(text) { path in
            var reader = NotificationReader(
                batch: LineReader(try InputFile(path: path)),
                defaults: EnvelopeDefaults(topic: Topic("com.example.a"), pushType: .alert), channelID: channelID,
                validates: validates)
            var items: [String] = []
            while let item = try reader.next(until: nil) {
                switch item {
                case .notification(let notification): items.append("device \(notification.deviceToken.hex)")
                case .broadcast(let broadcast):
                    items.append(
                        "channel \(broadcast.channelID) \(broadcast.app) \(broadcast.pushType.rawValue) "
                            + "\(broadcast.priority.rawValue) \(broadcast.expiration.secondsSince1970)")
                case .heldBackBroadcast(let broadcast, let report):
                    items.append("held back \(broadcast.channelID) \(report.contains(":\(reader.line ?? 0):"))")
                case .bad(let bad): items.append("bad \(bad.number) \(bad.problem.prefix(50))")
                default: items.append("other")
                }
            }
            return items
        }
    }

    @Test func `broadcasts and notifications to devices are in one batch`() throws {
        let text = """
            {"token":"ab","payload":{"aps":{"alert":"Hi"}}}
            {"apns-channel-id":"\(Self.id)","payload":\(Self.payload)}
            {"apns-channel-id":"\(Self.id)","apns-push-type":"liveactivity","apns-priority":5,"apns-expiration":9,"payload":\(Self.payload)}
            """
        #expect(
            try Self.items(text) == [
                "device ab", "channel \(Self.id) com.example.a liveactivity 10 0",
                "channel \(Self.id) com.example.a liveactivity 5 9",
            ])
    }

    @Test func `--channel is for envelopes without a destination`() throws {
        let text = """
            {"token":"ab","payload":{"aps":{"alert":"Hi"}}}
            {"payload":\(Self.payload)}
            {"apns-channel-id":"YQ==","payload":\(Self.payload)}
            """
        #expect(
            try Self.items(text, channelID: ChannelID(Self.id)) == [
                "device ab", "channel \(Self.id) com.example.a liveactivity 10 0",
                "channel YQ== com.example.a liveactivity 10 0",
            ])
    }

    @Test func `a line with two destinations, no channel id or a fault is reported`() throws {
        let text = """
            {"token":"ab","apns-channel-id":"\(Self.id)","payload":\(Self.payload)}
            {"apns-channel-id":"no base64","payload":\(Self.payload)}
            {"apns-channel-id":"\(Self.id)","apns-priority":7,"payload":\(Self.payload)}
            {"apns-channel-id":"\(Self.id)","payload":{"aps":{"event":"update"}}}
            {"payload":\(Self.payload)}
            """
        let items = try Self.items(text)
        #expect(items[0] == "bad 1 there is a device token and apns-channel-id; keep ")
        #expect(items[1] == "bad 2 apns-channel-id is \"no base64\"; it must be base64,")
        #expect(items[2].hasPrefix("bad 3 apns-priority is \"7\""))
        #expect(items[3] == "held back \(Self.id) true")
        #expect(items[4].hasPrefix("bad 5 token is missing"))
    }

    @Test func `only so many broadcasts are in flight, and a stop ends the wait`() async throws {
        let broadcast = APNSBroadcast(
            to: try #require(ChannelID(Self.id)), of: try #require(Topic("com.example.a")), expiration: .once,
            payload: [])
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let lines = Mutex<[Int?]>([])
        let lane = BroadcastLane(
            journal: nil,
            send: { _ in
                for await _ in gate { break }
                return .unsent(.heldBack)
            }, report: { line, _ in lines.withLock { $0.append(line.line) } })
        let stop = StopSignal()
        for number in 0..<BroadcastLane.maximumInFlight {
            #expect(try lane.take(broadcast, TagRing.Tag(number: number, line: number + 1), until: stop))
        }
        #expect(lane.underWay == BroadcastLane.maximumInFlight && !lane.hasPlace)
        stop.stop()
        #expect(try !lane.take(broadcast, TagRing.Tag(number: 99, line: 100), until: stop))
        open.finish()
        await lane.finish()
        #expect(lane.underWay == 0 && lane.hasPlace)
        #expect(Set(lines.withLock { $0 }) == Set((1...BroadcastLane.maximumInFlight).map { $0 }))
    }

    @Test func `notifications that were read before a broadcast do not wait for its place`() async throws {
        let broadcast = #"{"apns-channel-id":"\#(Self.id)","payload":\#(Self.payload)}"#
        func device(_ token: String) -> String { #"{"token":"\#(token)","payload":{"aps":{"alert":"Hi"}}}"# }
        let lines =
            Array(repeating: broadcast, count: BroadcastLane.maximumInFlight)
            + [device("ab"), broadcast, device("cd")]
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("file").path
            try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: path))
            let reader = NotificationReader(
                batch: LineReader(try InputFile(path: path)),
                defaults: EnvelopeDefaults(topic: Topic("com.example.a"), pushType: .alert), validates: true)
            let feed = NotificationFeed(reader) { report in Issue.record("\(report)") }
            let (gate, open) = AsyncStream.makeStream(of: Void.self)
            let sent = Mutex(0)
            let lane = BroadcastLane(
                journal: nil,
                send: { _ in
                    for await _ in gate { break }
                    return .unsent(.heldBack)
                }, report: { _, _ in sent.withLock { $0 += 1 } })
            feed.setLane(lane)
            #expect(try await feed.nextBatch().map(\.deviceToken.hex) == ["ab"])
            #expect(sent.withLock { $0 } == 0)
            open.finish()
            #expect(try await feed.nextBatch().map(\.deviceToken.hex) == ["cd"])
            #expect(try await feed.nextBatch().isEmpty)
            await lane.finish()
            #expect(sent.withLock { $0 } == BroadcastLane.maximumInFlight + 1)
        }
    }
}
