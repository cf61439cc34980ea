import APNSModel
import PushDispatch
import SelectiveSync
import ServiceHost

/// The control API: `/simulator/…` (docs/org.md).
extension OrgWorld {
    static let maximumWait: Int64 = 30_000

    private static let paths = [
        "", "clock", "clock/advance", "faults", "log", "login", "edit", "create", "delete", "records", "devices",
        "explain", "expire", "revoke", "visibility", "hidden-fields", "purge", "settings", "reset",
    ]

    mutating func control(_ request: ServiceRequest, _ real: ServerDate) throws(ControlProblem) -> Outcome {
        let path = String(request.path.dropFirst(OrgWorld.controlRoot.count).drop { $0 == "/" })
        let now = now(real: real)
        switch (request.method, path) {
        case ("GET", ""): return json(state(now))
        case ("GET", "clock"): return json(clockState(now))
        case ("PUT", "clock"): return try setClock(request, real)
        case ("POST", "clock/advance"): return try advanceClock(request, real)
        case ("GET", "faults"): return json(["faults": .array(org.faults.rules.map(\.json))])
        case ("POST", "faults"): return try addFault(request)
        case ("DELETE", "faults"):
            with { $0.faults.removeAll() }
            return Outcome(answer: OrgREST.Answer(.noContent))
        case ("DELETE", _) where path.hasPrefix("faults/"):
            let id = String(path.dropFirst("faults/".count))
            guard with({ $0.faults.remove(id) }) else {
                throw ControlProblem(404, "there is no fault rule with this id")
            }
            return Outcome(answer: OrgREST.Answer(.noContent))
        case ("GET", "log"): return try log(request)
        case ("POST", "login"): return try logIn(request, now)
        case ("POST", "edit"): return try edit(request, now)
        case ("POST", "create"): return try create(request, now)
        case ("POST", "delete"): return try delete(request, now)
        case ("GET", "records"): return try records(request)
        case ("GET", "devices"): return devices()
        case ("GET", "explain"): return try explain(request)
        case ("POST", "expire"): return try endSessions(request, now, isRevoked: false)
        case ("POST", "revoke"): return try endSessions(request, now, isRevoked: true)
        case ("POST", "visibility"): return try setVisibility(request, now)
        case ("POST", "hidden-fields"): return try hideField(request, now)
        case ("POST", "purge"): return try purge(request, now)
        case ("PATCH", "settings"): return try patchSettings(request, now)
        case ("POST", "reset"):
            reset()
            return Outcome(answer: OrgREST.Answer(.noContent))
        default:
            guard OrgWorld.paths.contains(path) else {
                let known = OrgWorld.paths.dropFirst().joined(separator: ", ")
                throw ControlProblem(404, "there is no /simulator/\(ShownText.cut(path, to: 60)); there are \(known)")
            }
            throw ControlProblem(405, "\(ShownText.cut(request.method, to: 16)) is not allowed for /simulator/\(path)")
        }
    }

    // MARK: Bodies

    func json(_ value: JSONValue, status: Int = 200) -> Outcome {
        Outcome(answer: OrgREST.Answer(.json(value.compactBytes, status: status)))
    }

    func body(of request: ServiceRequest) throws(ControlProblem) -> JSONValue {
        do throws(JSONReadError) {
            return try JSONReader.read(
                request.body,
                limits: JSONLimits(
                    maximumBytes: OrgREST.maximumBodyBytes, maximumDepth: 16, maximumValues: 100_000))
        } catch {
            throw .bad("the body is \(error)")
        }
    }

    func members(of request: ServiceRequest) throws(ControlProblem) -> ControlMembers {
        request.body.isEmpty ? try ControlMembers([:], "the body") : try ControlMembers(body(of: request), "the body")
    }

    /// A user by name or id.
    func user(_ name: String) throws(ControlProblem) -> RecordID {
        guard let user = org.user(named: name) else {
            let names = org.users.values.map(\.name).sorted().prefix(20).joined(separator: ", ")
            throw ControlProblem(404, "there is no user \(ShownText.cut(name, to: 60)); there are \(names)")
        }
        return user
    }

    /// The user that the key `user` names; nil without that key.
    func user(in members: inout ControlMembers) throws(ControlProblem) -> RecordID? {
        guard let name = try members.string("user") else { return nil }
        return try user(name)
    }

    static func problem(_ error: OrgError) -> ControlProblem { ControlProblem(error.status, error.description) }

    // MARK: State, clock, faults

    private func state(_ now: ServerDate) -> JSONValue {
        [
            "clock": clockState(now),
            "users": .array(
                org.users.values.sorted { $0.name < $1.name }.map { user in
                    [
                        "id": .string(user.id.description), "name": .string(user.name),
                        "kind": .string(user.kind.rawValue),
                    ]
                }),
            "apps": .array(
                org.apps.values.sorted { $0.name < $1.name }.map { app in
                    [
                        "name": .string(app.name), "bundle": .string(app.bundleID.value),
                        "environment": .string(app.environment.rawValue), "push": .bool(app.isPushEnabled),
                    ]
                }),
            "objects": .array(
                org.objects.values.sorted { $0.name < $1.name }.map { object in
                    [
                        "name": .string(object.name), "records": .integer(Int64(org.records(of: object.name).count)),
                        "flaws": .array(
                            (object.trigger?.flaws ?? []).map(\.rawValue).sorted().map { .string($0) }),
                    ]
                }),
            "devices": .integer(Int64(org.devices.count)),
            "api-usage": [
                "used": .integer(Int64(org.usage.calls(at: now))), "limit": .integer(Int64(org.settings.dailyCalls)),
            ],
            "push-usage": [
                "used": .integer(Int64(org.usage.pushes(at: now))),
                "limit": .integer(Int64(org.settings.pushesPerHour)),
            ],
            "last-log-number": .integer(Int64(org.log.lastNumber)),
        ]
    }

    private func clockState(_ now: ServerDate) -> JSONValue {
        ["mode": clock.isManual ? "manual" : "real", "now": .string(now.description)]
    }

    private enum Mode: String, CaseIterable { case real, manual }

    private mutating func setClock(_ request: ServiceRequest, _ real: ServerDate) throws(ControlProblem) -> Outcome {
        var members = try members(of: request)
        let mode = try members.word("mode", Mode.self)
        let date = try members.date("now")
        try members.finish()
        moveClock {
            $0.set(
                isManual: mode.map { $0 == .manual } ?? $0.isManual, to: date?.millisecondsSince1970,
                real: real.millisecondsSince1970)
        }
        return json(clockState(now(real: real)))
    }

    private mutating func advanceClock(_ request: ServiceRequest, _ real: ServerDate) throws(ControlProblem) -> Outcome
    {
        var members = try members(of: request)
        guard let duration = try members.duration("by") else { throw .bad("by is missing: \(TimeText.durationForm)") }
        try members.finish()
        moveClock { $0.advance(by: duration, real: real.millisecondsSince1970) }
        return json(clockState(now(real: real)))
    }

    private mutating func addFault(_ request: ServiceRequest) throws(ControlProblem) -> Outcome {
        let fault = try OrgFault(json: body(of: request)) { org.user(named: $0) }
        guard let id = with({ $0.faults.add(fault) }) else {
            throw .bad("there are already \(OrgFaults.maximumRules) fault rules; remove some")
        }
        return json(["id": .string(id)], status: 201)
    }

    // MARK: Log

    /// `?after=NUMBER&limit=COUNT&wait=10s`
    private func log(_ request: ServiceRequest) throws(ControlProblem) -> Outcome {
        func number(_ name: String, _ defaultValue: Int) throws(ControlProblem) -> Int {
            guard let text = request.parameter(name) else { return defaultValue }
            guard let number = Int(text), number >= 0 else { throw .bad("\(name) is not a whole number from 0") }
            return number
        }
        let after = try number("after", 0)
        let limit = try number("limit", 1_000)
        var outcome = json(logPage(after: after, limit: limit))
        if let text = request.parameter("wait") {
            guard let wait = TimeText.milliseconds(ofDuration: text), (0...OrgWorld.maximumWait).contains(wait) else {
                throw .bad("wait is not a duration up to 30s")
            }
            // A caller that knows more entries than there are has not seen that the log began anew: it gets `last` at once.
            outcome.waits = org.log.lastNumber != after ? nil : (after, wait)
        }
        return outcome
    }

    func logPage(after: Int, limit: Int) -> JSONValue {
        [
            "entries": .array(org.log.entries(after: after, limit: limit).map(\.json)),
            "last": .integer(Int64(org.log.lastNumber)),
        ]
    }
}
