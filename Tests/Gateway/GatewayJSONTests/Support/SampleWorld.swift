import APNSModel
import GatewayCore
import PayloadJSON
import Testing

/// A world with one app and the device `ab12`, whose clock stands still. It judges without credentials, as for the control
/// API.
struct SampleWorld {
    /// 2026-11-21T07:00:00Z in milliseconds.
    static let now: Int64 = 1_795_244_400_000

    var world: World

    init() throws {
        var settings = WorldSettings()
        settings.unknownDevices = .strict
        let start = WorldStart(
            settings: settings, clock: .manual(at: SampleWorld.now),
            apps: [RegisteredApp(topic: "com.example.agent", teamID: "ABCDE12345")],
            devices: [DeviceRegistration(topic: "com.example.agent", token: "ab12")])
        world = try World(start, real: 0)
    }

    /// The journal entry of a notification; a device token other than `ab12` is refused with BadDeviceToken.
    mutating func entry(
        to token: String = "ab12", priority: String = "10", _ payload: String = #"{"aps": {"alert": "Hi"}}"#
    ) throws -> JournalEntry {
        var connection = GatewayConnection(environment: .sandbox, role: .control)
        var head = RequestHead(path: "/3/device/\(token)")
        head.topic = "com.example.agent"
        head.pushType = "alert"
        head.priority = priority
        let request = CompleteRequest(stream: 1, head: head, body: Array(payload.utf8))
        let judgement = world.judge(request, on: &connection, real: 0)
        return try #require(world.notification(judgement.sequence))
    }
}

extension JSONText {
    var text: String { String(decoding: bytes, as: UTF8.self) }
}
