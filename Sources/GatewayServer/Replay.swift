package import GatewayCore
import PayloadJSON

/// Judges what was recorded again, by the same checks and at the times recorded, each world's requests in one of its own.
///
/// What a record does not hold is filled in as the verdict has it: a provider token of the recorded key, signed anew; the
/// app of the topic; the state of a device that its refusal tells of. Where the refusal was about something of which the
/// record has nothing, such as the provider token itself, there is nothing to judge.
package struct Replay: Sendable {
    package enum Result: Hashable, Sendable {
        /// What is different; empty where nothing is.
        case judged([ReplayDifference])
        case leftOut(why: String)
        /// The line is none of a record.
        case unreadable(String)
    }

    private let empty: ReplayedWorld
    private var worlds: [WorldName: ReplayedWorld] = [:]
    private var reader = JSONReader()

    /// - Parameter settings: How the checks are to be; its registration of devices is that of the record.
    package init(_ settings: WorldSettings) throws(GatewayError) {
        var settings = settings
        settings.deviceRegistration = .open
        settings.acceptsAnyKey = true
        settings.retain = 1
        settings.unregisteredDelay = 0
        do throws(RegistrationFault) {
            empty = ReplayedWorld(try World(WorldStart(settings: settings, clock: .manual(at: 0)), real: 0))
        } catch {
            throw GatewayError(.badConfiguration, error.description)
        }
    }

    /// Rules about what no record has.
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
        guard recorded.kind == .notification else { return .leftOut(why: "it is no notification to a device") }
        guard !recorded.hasFault, recorded.verdict.rule != "fault" else {
            return .leftOut(why: "a fault rule had a hand in it")
        }
        if let what = Replay.unrecorded[recorded.verdict.rule] { return .leftOut(why: "a record has not \(what)") }
        guard worlds[recorded.world] != nil || worlds.count < GatewayConfiguration.maximumWorlds else {
            return .unreadable("it is of more worlds than a gateway has")
        }
        guard let now = worlds[recorded.world, default: empty].rejudge(recorded) else {
            return .leftOut(why: "its key id, team id or topic is malformed")
        }
        return .judged(recorded.verdict.differences(from: now))
    }
}
