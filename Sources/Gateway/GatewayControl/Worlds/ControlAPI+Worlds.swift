import APNSModel
import GatewayConfiguration
package import GatewayCore
import GatewayJSON
import GatewayRuntime
import PayloadJSON
import SystemFiles

/// Creates, lists and removes worlds.
extension ControlAPI {
    package struct NewWorld: Sendable {
        package let name: WorldName
        package let setup: WorldSetup
        /// A separate port; nil for none, 0 for a free one.
        package let port: Int?
        /// The world as it was read from a file; nil makes it of the setup.
        package let world: World?
    }

    func listWorlds(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        let parameters = request.parameters
        let limit = try limit(parameters, maximum: NotificationQuery.maximumLimit) ?? 100
        let all = openWorlds(to: request)
        let cursor = parameters["cursor"].flatMap { WorldName($0)?.text }
        guard parameters["cursor"] == nil || cursor != nil else {
            throw .badParameter("cursor", "must be the value of \"next\" of the previous page")
        }
        let rest = cursor.map { cursor in all.filter { $0.name.text > cursor } } ?? all
        let page = rest.prefix(limit)
        return .ok(
            .object { object in
                object.add("total", all.count)
                object.add("maximum", worlds.maximum)
                object.add("worlds", .array(page.map(\.json)))
                object.addOrNull("next", rest.count > limit ? page.last?.name.text : nil)
            })
    }

    func newWorld(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        let body = try ControlBody(
            request.body, keys: ["name", "port", "seed", "environment", "devices", "clock", "token", "from"])
        let text = try body.required("name", "orders")
        guard let name = WorldName(text) else { throw .badWorldName(text, pointer: "/name") }
        var setup = WorldSetup()
        setup.environment = try body.word("environment")
        setup.seed = try body.natural("seed")
        setup.devices = try body.word("devices")
        if let clock = try body.object("clock", keys: ["mode", "now"]) {
            let (mode, now) = try ControlAPI.clockSetting(clock)
            var wanted = WorldClock.real
            wanted.set(mode ?? .real, to: now, real: WallClock.milliseconds)
            setup.clock = wanted
        }
        setup.token = try token(body)
        var world: World?
        if let file = try source(body, for: request) {
            if let key = ["seed", "environment", "devices", "clock"].first(where: { body.kind($0) != nil }) {
                throw body.wrong(key, "absent, because \"from\" says it")
            }
            let read = try worlds.world(from: file, for: name, token: setup.token)
            setup = read.world.start.setup
            world = read.world
        }
        return .newWorld(
            NewWorld(
                name: name, setup: setup, port: try body.integer("port", in: 0...65_535).map { Int($0) }, world: world))
    }

    /// What a new world is a copy of: a file, or another world by its name, if that is open to the request.
    private func source(_ body: ControlBody, for request: ControlRequest) throws(Problem) -> [UInt8]? {
        switch body.kind("from") {
        case nil: return nil
        case .object: return body.compact("from")
        case .string:
            let text = try body.string("from") ?? ""
            guard let source = WorldName(text).flatMap({ worlds.existing($0) }) else { throw .noWorld(text) }
            guard access.opens(source.token, to: request) else {
                throw Problem(
                    403, "The world has a token",
                    "the world \(source.name) has a token of its own; send the header Authorization: Bearer with it")
            }
            return source.export(withState: true).bytes
        default: throw body.wrong("from", "the name of a world, or a world as GET /api/export has it")
        }
    }

    /// The world as a file.
    func export(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        let text = request.parameters["state"] ?? "true"
        guard ["true", "false"].contains(text) else { throw .badParameter("state", "must be true or false") }
        return .ok(state.export(withState: text == "true"))
    }

    /// Puts a world from a file in the place of this one.
    func importWorld(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        let (world, file) = try worlds.world(from: request.body, for: state.name, token: state.token)
        guard file.environment == state.environment else {
            throw Problem(
                409, "The environment is another one",
                "the file is of a world of \(file.environment.rawValue), and this one is \(state.environment.rawValue); "
                    + "make a new world of it with POST /api/worlds", pointer: "/environment")
        }
        do throws(Worlds.CreationError) {
            try worlds.restore(world, inPlaceOf: state)
        } catch {
            throw Problem(error)
        }
        return .ok(state.json)
    }

    /// The token that the world gets: a given one, or with true a new one.
    private func token(_ body: ControlBody) throws(Problem) -> String? {
        if body.kind("token") == .true { return ControlAPI.newToken() }
        if body.kind("token") == .false { return nil }
        guard let token = try body.string("token") else { return nil }
        guard GatewayConfiguration.problem(ofControlToken: token) == nil else {
            throw body.wrong(
                "token",
                "true for a new one, or \(GatewayConfiguration.minimumControlTokenBytes) or more visible ASCII characters "
                    + "that cannot be guessed")
        }
        return token
    }

    /// 32 random hexadecimal digits.
    private static func newToken() -> String {
        var random = SystemRandomNumberGenerator()
        return (0..<32).map { _ in String(UInt8.random(in: 0...15, using: &random), radix: 16) }.joined()
    }

    /// Removes the worlds that nobody has used for a time, of those that are open to the request.
    func removeIdleWorlds(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        guard let text = request.parameters["idle"], let idle = TimeText.milliseconds(ofDuration: text),
            idle >= 0
        else {
            throw .badParameter(
                "idle", "must be a duration such as 1h: worlds that nobody has used for so long are removed")
        }
        let open = Set(openWorlds(to: request).map(\.name))
        let names = worlds.idleTimes().filter { $0.idle >= idle && open.contains($0.name) }.map(\.name)
        return .removedWorlds(names.sorted { $0.text < $1.text })
    }

    func world(_ text: String) throws(Problem) -> ControlAnswer {
        guard let name = WorldName(text) else { throw .badWorldName(text) }
        guard let state = worlds.existing(name) else { throw .noWorld(text) }
        return .ok(state.json)
    }

    func removeWorld(_ text: String) throws(Problem) -> ControlAnswer {
        guard let name = WorldName(text) else { throw .badWorldName(text) }
        guard name != .standard else {
            throw Problem(
                409, "This world stays",
                "the world \(name) is the default world, which always exists; POST /api/reset restores its start")
        }
        guard worlds.existing(name) != nil else { throw .noWorld(text) }
        return .removedWorld(name)
    }
}

extension LiveWorld {
    var json: JSONText { json(withToken: false) }

    func json(withToken: Bool) -> JSONText {
        let (mode, now, notifications, devices, faults, held) = read { world, real in
            (
                world.clock.mode, world.now(real: real), world.journalCount,
                APNSEnvironment.allCases.reduce(0) { $0 + world.devices(in: $1, limit: 0).total },
                world.activeFaults(real: real).count, world.held.total
            )
        }
        return .object { object in
            object.add("name", name.text)
            object.add("host", name.host)
            object.add("environment", environment.rawValue)
            object.add("clock", WorldClock.json(mode, now: now))
            object.add("notifications", notifications)
            object.add("devices", devices)
            object.add("faults", faults)
            object.add("held-bytes", held)
            object.add("idle-seconds", idleTime() / 1000)
            if let port = ownPort { object.add("port", port) }
            if withToken { object.addIfAny("token", token) }
        }
    }
}
