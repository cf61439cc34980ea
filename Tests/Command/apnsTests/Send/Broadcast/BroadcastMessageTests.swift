import APNSModel
import APNSPayload
import Testing

@testable import apns

struct BroadcastMessageTests {
    private static let app = Topic("com.example.agent")!
    private static let channelID = ChannelID("dHN0LXNyY2gtY2hubA==")!
    private static let payload = #"{"aps":{"timestamp":1,"event":"update","content-state":{}}}"#

    private static func broadcast(
        _ text: String, _ message: BroadcastMessage = BroadcastMessage(app: app)
    ) throws -> APNSBroadcast {
        var reader = EnvelopeReader()
        let sourced = reader.read(SourceText(name: "update.json", bytes: Array(text.utf8)))
        return try message.broadcasts(sourced, to: [channelID])[0]
    }

    @Test func `a bare payload is sent at once and not stored, unless options say otherwise`() throws {
        #expect(
            try Self.broadcast(Self.payload)
                == APNSBroadcast(
                    to: Self.channelID, of: Self.app, priority: .immediate, expiration: .once,
                    payload: Array(Self.payload.utf8)))
        let message = BroadcastMessage(
            app: Self.app, priority: .powerConsiderate, expiration: Expiration(secondsSince1970: 7))
        let broadcast = try Self.broadcast(Self.payload, message)
        #expect(broadcast.priority == .powerConsiderate && broadcast.expiration.secondsSince1970 == 7)
    }

    @Test func `an envelope has headers of its own, and options win over them`() throws {
        let envelope = """
            {"apns-channel-id":"YQ==","apns-push-type":"Liveactivity","apns-priority":5,"apns-expiration":9,\
            "payload":\(Self.payload)}
            """
        let broadcast = try Self.broadcast(envelope)
        #expect(broadcast.channelID == Self.channelID && broadcast.pushType.rawValue == "Liveactivity")
        #expect(broadcast.priority == .powerConsiderate && broadcast.expiration.secondsSince1970 == 9)
        #expect(try Self.broadcast(envelope, BroadcastMessage(app: Self.app, expiration: .once)).expiration == .once)
    }

    @Test func `the topic is that of the option, the envelope, or the credentials`() throws {
        let envelope = #"{"apns-topic":"com.example.envelope","payload":\#(Self.payload)}"#
        func topic(_ text: String, _ app: Topic?, _ defaultApp: Topic?) throws -> String {
            try Self.broadcast(text, BroadcastMessage(app: app, defaultApp: defaultApp)).app.value
        }
        #expect(try topic(envelope, Self.app, nil) == "com.example.agent")
        #expect(try topic(envelope, nil, Self.app) == "com.example.envelope")
        #expect(try topic(Self.payload, nil, Self.app) == "com.example.agent")
        let error = #expect(throws: CommandError.self) { try topic(Self.payload, nil, nil) }
        #expect(error?.message == CredentialChoice.missingTopic.message)
    }

    @Test func `an id of an envelope is for one channel`() throws {
        let envelope = #"{"apns-id":"00000000-0000-4000-8000-000000000001","payload":\#(Self.payload)}"#
        var reader = EnvelopeReader()
        let sourced = reader.read(SourceText(name: "update.json", bytes: Array(envelope.utf8)))
        let message = BroadcastMessage(app: Self.app)
        #expect(try message.broadcasts(sourced, to: [Self.channelID]).count == 1)
        let error = #expect(throws: CommandError.self) {
            try message.broadcasts(sourced, to: [Self.channelID, Self.channelID])
        }
        #expect(error?.message.contains("there are several channels") == true && error?.status == .badArguments)
    }

    @Test func `a bad header of an envelope is an error that names it`() {
        let error = #expect(throws: CommandError.self) {
            try Self.broadcast(#"{"apns-priority":7,"payload":{}}"#)
        }
        #expect(error?.message.hasPrefix("update.json: apns-priority") == true, "\(error?.message ?? "")")
        #expect(error?.status == .no)
    }
}
