package import GatewayConfiguration
import GatewayCore
package import GatewayJSON
import PayloadJSON

/// Judges recorded requests again, by the same checks and at the recorded times. Each recorded world has a world of its own.
///
/// What a record does not contain comes from the configuration. What is not configured is filled in so that it agrees with
/// the recorded verdict: a provider token of the recorded key, signed again; the app of the topic; the state of the device
/// that a refusal implies. A line is left out if its refusal was about something that a record does not contain, such as the
/// provider token.
package struct Replay: Sendable {
    package enum Result: Hashable, Sendable {
        /// The differences between the recorded and the new verdict; empty if there are none.
        case judged([ReplayDifference])
        case leftOut(why: String)
        /// The line is not from a record.
        case unreadable(String)
    }

    /// What a world begins with that the configuration does not name.
    private let defaultWorld: ReplayedWorld
    private var worlds: [WorldName: ReplayedWorld] = [:]
    private var reader = JSONReader()

    /// - Parameter configuration: What the worlds of the record begin with. No port or file of it is opened. Its fault
    ///   rules, registration of devices and availability are not used: each recorded verdict includes their result, and
    ///   lines that a fault rule affected are left out.
    package init(_ configuration: GatewayConfiguration) throws(GatewayError) {
        defaultWorld = try Replay.world(configuration)
        for world in configuration.namedWorlds { worlds[world.name] = try Replay.world(world.configuration) }
    }

    private static func world(_ configuration: GatewayConfiguration) throws(GatewayError) -> ReplayedWorld {
        var start = configuration.worldStart(nil)
        start.clock = .manual(at: 0)
        start.faults = []
        start.answers = RecordedAnswers()
        start.settings.seed = configuration.seed ?? 0
        start.settings.unknownDevices = .open
        start.settings.acceptsAnyKey = true
        start.settings.retain = 1
        start.settings.unregisteredDelay = 0
        start.settings.availability = .serving
        do throws(RegistrationError) {
            return ReplayedWorld(try World(start, real: 0), start)
        } catch {
            throw GatewayError(registering: error)
        }
    }

    /// Rules about what a record does not contain, by rule id.
    private static let unrecorded: [String: String] = [
        "availability": "the state of the gateway", "store": "the state of the gateway",
        "certificate": "the certificate", "path": "the path", "method": "the method",
        "headers-once": "repeated headers", "apns-id": "a malformed apns-id",
        "provider-token-present": "the provider token", "provider-token-form": "the provider token",
        "provider-token-key": "the provider token", "provider-token-signature": "the provider token",
        "provider-token-team": "the provider token", "provider-token-age": "the provider token",
        "provider-token-updates": "the provider token", "key-environment": "the environments of the key",
        "connection-team": "the connection", "connection-key": "the connection",
        "device-capacity": "the number of devices", "device-rate": "the rate of the device",
    ]

    package mutating func judge(_ line: [UInt8]) -> Result {
        let recorded: RecordedLine
        do throws(RecordedLine.Fault) {
            recorded = try RecordedLine(line, with: &reader)
        } catch {
            return .unreadable(error.description)
        }
        guard recorded.kind == .notification else { return .leftOut(why: "it is not a notification to a device") }
        guard !recorded.hasFault, recorded.verdict.rule != "fault" else {
            return .leftOut(why: "a fault rule affected it")
        }
        if let what = Replay.unrecorded[recorded.verdict.rule] {
            return .leftOut(why: "a record does not contain \(what)")
        }
        if recorded.verdict.rule == "device-token-expired", recorded.verdict.timestamp == nil {
            return .leftOut(why: "a record of status 400 does not contain when the token expired")
        }
        guard worlds[recorded.world] != nil || worlds.count < GatewayConfiguration.maximumWorlds else {
            return .unreadable("the record has more worlds than a gateway can have")
        }
        guard let now = worlds[recorded.world, default: defaultWorld].rejudge(recorded) else {
            return .leftOut(why: "its key id, team id or topic is malformed")
        }
        let differences = recorded.verdict.differences(from: now)
        if !differences.isEmpty, recorded.verdict.rule == "topic-allowed",
            worlds[recorded.world]?.isConfigured(recorded.topic) == false
        {
            return .leftOut(why: "a record does not contain what the gateway knew about the app")
        }
        return .judged(differences)
    }
}
