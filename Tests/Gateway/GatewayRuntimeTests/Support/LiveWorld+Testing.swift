import APNSModel
import GatewayCore
import SystemFiles

@testable import GatewayRuntime

extension LiveWorld {
    /// A world in memory on the machine's clock.
    static func inMemory(delegate: any LiveWorldDelegate = RecordingDelegate()) throws -> LiveWorld {
        let start = WorldStart(apps: [RegisteredApp(topic: "com.example.agent", teamID: "ABCDE12345")])
        return LiveWorld(try World(start, real: WallClock.milliseconds), environment: .sandbox, delegate: delegate)
    }

    /// Sends a notification as the control API does, without credentials.
    func push(to token: String = "ab12") -> JournalEntry? {
        var head = RequestHead(path: "/3/device/\(token)")
        head.topic = "com.example.agent"
        head.pushType = "background"
        head.priority = "5"
        return send(CompleteRequest(stream: 1, head: head, body: Array(#"{"aps":{"content-available":1}}"#.utf8)))
    }
}
