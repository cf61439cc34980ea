import APNSModel
import GatewayCore
import GatewayJSON
import GatewayRuntime
import PayloadJSON
import ProviderToken

/// The clock, the apps and the keys.
extension ControlAPI {
    var clock: JSONText {
        let (mode, now) = state.read { world, real in (world.clock.mode, world.now(real: real)) }
        return WorldClock.json(mode, now: now)
    }

    func setClock(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        let body = try ControlBody(request.body, keys: ["mode", "now"])
        let (mode, now) = try ControlAPI.clockSetting(body)
        state.setClock(mode, to: now)
        return .ok(clock)
    }

    /// At least one of the two is set.
    static func clockSetting(_ body: ControlBody) throws(Problem) -> (mode: WorldClock.Mode?, now: Int64?) {
        let mode: WorldClock.Mode?
        switch try body.string("mode") {
        case nil: mode = nil
        case "real": mode = .real
        case "manual": mode = .manual
        default: throw body.wrong("mode", "real or manual")
        }
        let now = try body.time("now")
        guard mode != nil || now != nil else {
            throw body.problem(
                "send the mode, the time or both: {\"mode\":\"manual\",\"now\":\"2026-11-21T07:00:00Z\"}")
        }
        return (mode, now)
    }

    func advanceClock(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        let body = try ControlBody(request.body, keys: ["by"])
        guard let milliseconds = try body.duration("by") else {
            throw body.missing("by", "{\"by\":\"55m\"}")
        }
        state.advanceClock(by: milliseconds)
        return .ok(clock)
    }

    func apps() -> ControlAnswer {
        let apps = state.read { world, _ in world.registeredApps }
        return .ok(.object { $0.add("apps", .array(apps.map(\.json))) })
    }

    func registerApp(_ request: ControlRequest) throws -> ControlAnswer {
        let body = try ControlBody(request.body, keys: ["topic", "team-id", "capabilities"])
        let app = RegisteredApp(
            topic: try body.required("topic", "com.example.agent"),
            teamID: try teamID(body).value,
            capabilities: try body.strings("capabilities").map { Set($0) } ?? RegisteredApp.everyCapability)
        try state.register(app)
        return .created(app.json, at: base + "/api/apps")
    }

    func keys() -> ControlAnswer {
        let keys = state.read { world, _ in world.registeredKeys }
        return .ok(.object { $0.add("keys", .array(keys.map(\.json))) })
    }

    func registerKey(_ request: ControlRequest) throws -> ControlAnswer {
        let body = try ControlBody(
            request.body, keys: ["key-id", "team-id", "public-key", "kind", "topics", "environments"])
        guard let keyID = KeyID(try body.required("key-id", "ABC123DEFG")) else {
            throw body.wrong("key-id", "10 characters from 0-9 and A-Z")
        }
        let kind = try kind(body)
        let key = ProviderKey(
            keyID: keyID.value, teamID: try teamID(body).value, verifyingKey: try verifyingKey(body), kind: kind,
            environments: try environments(body) ?? kind.defaultEnvironments(at: state.environment))
        try state.register(key)
        return .created(key.json, at: base + "/api/keys")
    }

    func revokeKey(_ id: String) throws(Problem) -> ControlAnswer {
        guard state.revokeKey(id) else {
            throw Problem(
                404, "No such key",
                "no key with this id is registered, or it is already revoked; GET /api/keys lists all keys")
        }
        return .noContent
    }

    private func teamID(_ body: ControlBody) throws(Problem) -> TeamID {
        guard let teamID = TeamID(try body.required("team-id", "ABCDE12345")) else {
            throw body.wrong("team-id", "10 characters from 0-9 and A-Z")
        }
        return teamID
    }

    private func verifyingKey(_ body: ControlBody) throws(Problem) -> VerifyingKey {
        let pem = try body.required("public-key", "-----BEGIN PUBLIC KEY-----…")
        do throws(KeyError) {
            return try VerifyingKey(pem: pem)
        } catch {
            throw .badRequest("\"public-key\" cannot be used: \(error.detail)", pointer: "/public-key")
        }
    }

    private func kind(_ body: ControlBody) throws(Problem) -> ProviderKey.Kind {
        let topics = try body.strings("topics")
        switch try body.string("kind") {
        case nil, "team":
            guard topics == nil else {
                throw .badRequest(
                    "a key with \"topics\" must be of the kind topic; send \"kind\":\"topic\"", pointer: "/kind")
            }
            return .team
        case "topic": return .topics(Set(topics ?? []))
        default: throw body.wrong("kind", "team or topic")
        }
    }

    private func environments(_ body: ControlBody) throws(Problem) -> Set<APNSEnvironment>? {
        guard let names = try body.strings("environments") else { return nil }
        var environments: Set<APNSEnvironment> = []
        for name in names {
            guard let environment = APNSEnvironment(rawValue: name) else {
                throw body.wrong("environments", "an array of sandbox, production or, for a team-scoped key, both")
            }
            environments.insert(environment)
        }
        return environments
    }
}
