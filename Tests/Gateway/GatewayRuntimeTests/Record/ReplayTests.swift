import APNSModel
import DevelopmentCredentials
import GatewayConfiguration
import GatewayCore
import GatewayJSON
import ProviderToken
import SystemFiles
import Testing

@testable import GatewayRuntime
@testable import GatewayServer

/// The judge of a record, line by line.
struct ReplayTests {
    private static func line(_ verdict: String, world: String = "default", keyID: String = "ABC123DEFG") -> [UInt8] {
        Array(
            """
            {"world":"\(world)","token":"ab12","apns-topic":"com.example.mail","apns-push-type":"alert",\
            "apns-id":"9D1F2A3B-0000-4000-8000-000000000001","payload":{"aps":{"alert":"x"}},"payload-bytes":23,\
            "received":"2026-11-21T07:00:00.000Z","environment":"sandbox","key-id":"\(keyID)","team-id":"ABCDE12345",\
            "verified":true,"findings":[],\(verdict)}
            """.utf8)
    }

    private static let accepted = #""outcome":"accepted","status":200,"reason":null,"rule":"accepted","why":"x""#
    private static let disallowed =
        #""outcome":"refused","status":400,"reason":"TopicDisallowed","rule":"topic-allowed","why":"the app \"com.example.mail\" lacks the push capability""#

    private func replay(
        capabilities: Set<String>? = nil, world: Set<String>? = nil
    ) throws -> Replay {
        func configuration(_ capabilities: Set<String>?) -> GatewayConfiguration {
            var configuration = GatewayConfiguration()
            configuration.apps =
                capabilities.map {
                    [RegisteredApp(topic: "com.example.mail", teamID: "ABCDE12345", capabilities: $0)]
                } ?? []
            return configuration
        }
        var whole = configuration(capabilities)
        if let world, let name = WorldName("orders") {
            whole.namedWorlds = [GatewayConfiguration.NamedWorld(name: name, configuration: configuration(world))]
        }
        return try Replay(whole)
    }

    private func fields(_ result: Replay.Result) -> [String]? {
        guard case .judged(let differences) = result else { return nil }
        return differences.map(\.field)
    }

    @Test func `an app is what the configuration says`() throws {
        var without = try replay(capabilities: [])
        #expect(fields(without.judge(Self.line(Self.disallowed))) == [])
        #expect(fields(without.judge(Self.line(Self.accepted)))?.contains("outcome") == true)
        var with = try replay(capabilities: ["push"])
        #expect(fields(with.judge(Self.line(Self.disallowed)))?.contains("outcome") == true)
        #expect(fields(with.judge(Self.line(Self.accepted)))?.contains("outcome") == false)
    }

    @Test func `each world is judged under what is said of it`() throws {
        var replay = try replay(capabilities: ["push"], world: [])
        #expect(fields(replay.judge(Self.line(Self.disallowed, world: "orders"))) == [])
        #expect(fields(replay.judge(Self.line(Self.disallowed)))?.contains("outcome") == true)
        // One that the configuration does not name begins as the usual one does.
        #expect(fields(replay.judge(Self.line(Self.disallowed, world: "other")))?.contains("outcome") == true)
    }

    @Test func `what nobody knows of an app is left out`() throws {
        var replay = try replay()
        #expect(
            replay.judge(Self.line(Self.disallowed))
                == .leftOut(why: "a record does not contain what the gateway knew about the app"))
        #expect(fields(replay.judge(Self.line(Self.accepted)))?.contains("outcome") == false)
    }

    @Test func `a token that expired at a time that nobody knows is left out`() throws {
        var replay = try replay()
        let expired =
            #""outcome":"refused","status":400,"reason":"ExpiredToken","rule":"device-token-expired","why":"x""#
        #expect(
            replay.judge(Self.line(expired))
                == .leftOut(why: "a record of status 400 does not contain when the token expired"))
    }

    @Test func `fault rules and availability of the configuration hit nothing`() throws {
        var configuration = GatewayConfiguration()
        configuration.faults = [FaultRule(.refuse(.shutdown))]
        configuration.settings.availability = .stopping
        var replay = try Replay(configuration)
        #expect(fields(replay.judge(Self.line(Self.accepted)))?.contains("outcome") == false)
    }

    @Test func `a key has the topics that the configuration says`() throws {
        var configuration = GatewayConfiguration()
        let other = try DevelopmentCredentials.make()
        configuration.apps = [RegisteredApp(topic: "com.example.mail", teamID: "ABCDE12345")]
        if let keyID = KeyID("ABC123DEFG"), let team = TeamID("ABCDE12345") {
            var key = GatewayConfiguration.Key(keyID: keyID, teamID: team, verifyingKey: other.key.publicKey)
            key.kind = .topics(["com.example.chat"])
            key.environments = [.sandbox]
            configuration.keys = [key]
        }
        var replay = try Replay(configuration)
        #expect(fields(replay.judge(Self.line(Self.accepted)))?.contains("outcome") == true)
        #expect(fields(replay.judge(Self.line(Self.accepted, keyID: "OTHER23456")))?.contains("outcome") == false)
    }
}
