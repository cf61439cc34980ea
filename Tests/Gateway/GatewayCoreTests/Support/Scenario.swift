import APNSModel
import Synchronization

@testable import GatewayCore
@testable import ProviderToken

/// Keys made once for all tests.
enum Keys {
    static let first = Result { () throws(KeyError) in try SigningKey.generate() }
    static let second = Result { () throws(KeyError) in try SigningKey.generate() }

    static let team = "TEAM000001"
    static let otherTeam = "TEAM000002"
}

/// A world on a manual clock with one request that is accepted, before a test spoils something of it.
struct Scenario {
    static let start: Int64 = 1_800_000_000_000
    static let topic = "com.example.agent"
    static let token = String(repeating: "ab12", count: 16)

    var settings = WorldSettings()
    var environment = APNSEnvironment.sandbox
    var keyEnvironments: Set<APNSEnvironment> = [.sandbox]
    var keyKind = ProviderKey.Kind.team
    var extraKeys: [ProviderKey] = []
    var apps = [RegisteredApp(topic: Scenario.topic, teamID: Keys.team)]
    var devices = [DeviceRegistration(topic: Scenario.topic, token: Scenario.token)]
    var certificate: ClientCertificate?

    var keyID = "KEY0000001"
    var teamID = Keys.team
    /// Seconds before the start at which the provider token was signed.
    var age: Int64 = 0
    var signer = Keys.first
    var hasAuthorization = true
    var authorization: String?

    var head = RequestHead(path: "/3/device/" + Scenario.token)
    var body = Array(#"{"aps":{"content-available":1}}"#.utf8)
    /// What happens before the request.
    var before: [(inout Running) throws -> Void] = []

    init() {
        settings.unknownDevices = .strict
        head.topic = Scenario.topic
        head.pushType = "background"
        head.priority = "5"
        head.apnsID = "9d1f0a52-1111-4222-8333-abcdefabcdef"
    }

    /// The scenario set up and everything that comes before done, except for the request itself.
    func run() throws -> Running {
        let key = ProviderKey(
            keyID: "KEY0000001", teamID: Keys.team, verifyingKey: try Keys.first.get().publicKey, kind: keyKind,
            environments: keyEnvironments)
        let start = WorldStart(
            settings: settings, clock: .manual(at: Scenario.start), keys: [key] + extraKeys, apps: apps,
            devices: devices)
        var running = Running(world: try World(start, real: 0), connection: GatewayConnection(environment: environment))
        running.opening = running.connection.opened(certificate: certificate, settings: settings, at: Scenario.start)
        for step in before { try step(&running) }
        return running
    }

    /// Its provider token is as old as `age` says when the test begins.
    func request() throws -> RequestHead {
        var head = head
        if hasAuthorization {
            head.authorization =
                try authorization
                ?? Scenario.authorization(
                    keyID: keyID, teamID: teamID, issuedAt: Scenario.start / 1000 - age, signer: signer)
        }
        return head
    }

    /// The verdict on the request.
    func verdict() throws -> Verdict {
        var running = try run()
        return try running.send(self).verdict
    }

    /// The journal's entry about the request.
    func entry() throws -> JournalEntry {
        var running = try run()
        let judgement = try running.send(self)
        guard let entry = running.world.notification(judgement.sequence) else { throw NoEntry() }
        return entry
    }

    struct NoEntry: Error {}

    static func authorization(
        keyID: String = "KEY0000001", teamID: String = Keys.team, issuedAt: Int64 = Scenario.start / 1000,
        signer: Result<SigningKey, KeyError> = Keys.first
    ) throws -> String {
        let key = try signer.get()
        let name = "\(keyID) \(teamID) \(issuedAt) \(key.publicKey.pem)"
        return try signed.withLock { signed in
            if let known = signed[name] { return known }
            guard let keyID = KeyID(keyID), let teamID = TeamID(teamID) else { throw BadID() }
            let token = try SignedToken(keyID: keyID, teamID: teamID, issuedAt: issuedAt, key: key).text
            signed[name] = "bearer " + token
            return "bearer " + token
        }
    }

    /// A provider token of the first key with these claims.
    static func authorization(claims: String, keyID: String = "KEY0000001") throws -> String {
        let header = #"{"alg":"ES256","kid":"\#(keyID)"}"#
        let text = Base64.encodeURL(Array(header.utf8)) + [UInt8(ascii: ".")] + Base64.encodeURL(Array(claims.utf8))
        let signature = try Keys.first.get().signature(for: text)
        return "bearer " + String(decoding: text + [UInt8(ascii: ".")] + Base64.encodeURL(signature), as: UTF8.self)
    }

    /// Signing is not deterministic, and another signature is another provider token; so one is made for each content.
    private static let signed = Mutex<[String: String]>([:])

    struct BadID: Error {}
}

/// A world and a connection to it in the middle of a test.
struct Running {
    var world: World
    var connection: GatewayConnection
    var opening: GatewayConnection.Opening?
    /// The stream of the next request.
    var stream: Int32 = 1

    var now: Int64 { world.now(real: 0) }

    mutating func send(_ head: RequestHead, _ body: [UInt8], reportsAll: Bool = true) -> Judgement {
        defer { stream += 2 }
        return world.judge(
            CompleteRequest(stream: stream, head: head, body: body), on: &connection, real: 0, reportsAll: reportsAll)
    }

    @discardableResult
    mutating func send(_ scenario: Scenario, reportsAll: Bool = true) throws -> Judgement {
        send(try scenario.request(), scenario.body, reportsAll: reportsAll)
    }

    mutating func advance(seconds: Int64) -> [DeliveryEvent] {
        world.advanceClock(by: seconds * 1000, real: 0)
    }

    mutating func advance(milliseconds: Int64) { _ = world.advanceClock(by: milliseconds, real: 0) }
}

extension Scenario {
    func with(_ change: (inout Scenario) throws -> Void) rethrows -> Scenario {
        var changed = self
        try change(&changed)
        return changed
    }

    var deviceToken: DeviceToken {
        get throws {
            guard let token = DeviceToken(Scenario.token) else { throw BadID() }
            return token
        }
    }
}
