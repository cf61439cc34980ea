import APNSModel
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
    }

    func listWorlds(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        let parameters = try request.parameters(["limit", "cursor"])
        let limit = try limit(parameters, maximum: NotificationQuery.maximumLimit) ?? 100
        let all = worlds.all
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
            request.body, keys: ["name", "port", "seed", "environment", "devices", "clock"])
        let text = try body.required("name", "orders")
        guard let name = WorldName(text) else { throw .badWorldName(text, pointer: "/name") }
        var setup = WorldSetup()
        setup.environment = try body.word("environment")
        setup.seed = try body.integer("seed", in: 0...Int64.max).map { UInt64($0) }
        setup.devices = try body.word("devices")
        if let clock = try body.object("clock", keys: ["mode", "now"]) {
            let (mode, now) = try ControlAPI.clockSetting(clock)
            var wanted = WorldClock.real
            wanted.set(mode ?? .real, to: now, real: WallClock.milliseconds)
            setup.clock = wanted
        }
        return .newWorld(
            NewWorld(name: name, setup: setup, port: try body.integer("port", in: 0...65_535).map { Int($0) }))
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
    var json: JSONText {
        let (mode, now, notifications, devices, faults) = read { world, real in
            (
                world.clock.mode, world.now(real: real), world.journalCount,
                APNSEnvironment.allCases.reduce(0) { $0 + world.devices(in: $1, limit: 0).total },
                world.activeFaults(real: real).count
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
            if let port = ownPort { object.add("port", port) }
        }
    }
}
