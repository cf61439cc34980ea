import APNSModel
package import PushDispatch
import SelectiveSync
package import ServiceHost

extension OrgFault {
    package static let effects = [
        "refuse", "expire-token", "revoke-refresh-token", "limit", "delay", "disconnect", "lose-page", "hide-field",
    ]

    /// `{"match":{…},"effect":{…},"probability":1,"count":1,"until":"…"}`
    ///
    /// - Parameter user: Finds the id of a user by name.
    package init(json: JSONValue, user: (String) -> RecordID?) throws(ControlProblem) {
        var rule = try ControlMembers(json, "the fault rule")
        var match = Match()
        if let value = rule.value("match") {
            var members = try ControlMembers(value, "match")
            match.method = try members.string("method")?.uppercased()
            match.path = try members.string("path")
            if let name = try members.string("user") {
                guard let id = user(name) else { throw .bad("match: there is no user \(ShownText.cut(name, to: 60))") }
                match.user = id
            }
            try members.finish()
        }
        guard let effect = rule.value("effect") else {
            throw .bad(
                "the fault rule: effect is missing, an object with one of \(OrgFault.effects.joined(separator: ", "))")
        }
        self.init(
            try Effect(json: effect), match: match, probability: try rule.number("probability", in: 0...1) ?? 1,
            count: try rule.integer("count", in: 1...1_000_000_000).map { Int($0) }, until: try rule.date("until"))
        try rule.finish()
    }
}

extension OrgFault.Effect {
    /// The maximum delay of an answer, in milliseconds.
    private static let maximumDelay: Int64 = 3_600_000

    fileprivate init(json: JSONValue) throws(ControlProblem) {
        guard let members = json.object, members.count == 1, let (key, value) = members.first else {
            throw .bad("effect must be an object with one key of \(OrgFault.effects.joined(separator: ", "))")
        }
        switch key {
        case "refuse":
            var members = try ControlMembers(value, "refuse")
            guard let status = try members.integer("status", in: 400...599) else {
                throw .bad("refuse: status is missing, such as 503")
            }
            self = .refuse(
                status: Int(status), code: try members.string("code") ?? Self.defaultCode(Int(status)))
            try members.finish()
        case "expire-token": self = try Self.flagEffect(key, value, .expireToken)
        case "revoke-refresh-token": self = try Self.flagEffect(key, value, .revokeRefreshToken)
        case "limit": self = try Self.flagEffect(key, value, .reachLimit)
        case "lose-page": self = try Self.flagEffect(key, value, .losePage)
        case "delay": self = .delay(try Self.delay(value))
        case "disconnect":
            guard value != .bool(true) else {
                self = .disconnect(afterBytes: nil)
                return
            }
            var members = try ControlMembers(value, "disconnect")
            guard let bytes = try members.integer("after-bytes", in: 0...Int64(OrgREST.maximumReplyBytes)) else {
                throw .bad("disconnect takes true, or an object with after-bytes")
            }
            self = .disconnect(afterBytes: Int(bytes))
            try members.finish()
        case "hide-field":
            let parts = (value.string ?? "").split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
                throw .bad("hide-field takes an object and a field such as \"Account.Phone\"")
            }
            self = .hideField(object: String(parts[0]), field: String(parts[1]))
        default:
            throw .bad(
                "there is no effect \(ShownText.cut(key, to: 60)); there are \(OrgFault.effects.joined(separator: ", "))"
            )
        }
    }

    private static func flagEffect(
        _ key: String, _ value: JSONValue, _ effect: OrgFault.Effect
    ) throws(ControlProblem) -> OrgFault.Effect {
        guard value == .bool(true) else { throw .bad("\(key) takes true") }
        return effect
    }

    private static func delay(_ value: JSONValue) throws(ControlProblem) -> ClosedRange<Int64> {
        if let text = value.string {
            guard let delay = TimeText.milliseconds(ofDuration: text), (0...maximumDelay).contains(delay) else {
                throw .bad("delay is not a duration up to 60m; \(TimeText.durationForm) is wanted")
            }
            return delay...delay
        }
        let ends = value.object?["uniform"]?.array?.compactMap(\.string).compactMap {
            TimeText.milliseconds(ofDuration: $0)
        }
        guard let ends, ends.count == 2, ends[0] >= 0, ends[0] <= ends[1], ends[1] <= maximumDelay else {
            throw .bad("delay takes a duration, or {\"uniform\":[\"10ms\",\"2s\"]}")
        }
        return ends[0]...ends[1]
    }

    private static func defaultCode(_ status: Int) -> String {
        switch status {
        case 401: "INVALID_SESSION_ID"
        case 403: "INSUFFICIENT_ACCESS"
        case 404: "NOT_FOUND"
        case 503: "SERVER_UNAVAILABLE"
        default: "UNKNOWN_EXCEPTION"
        }
    }

    fileprivate var json: JSONValue {
        switch self {
        case .refuse(let status, let code):
            ["refuse": ["status": .integer(Int64(status)), "code": .string(code)]]
        case .expireToken: ["expire-token": true]
        case .revokeRefreshToken: ["revoke-refresh-token": true]
        case .reachLimit: ["limit": true]
        case .delay(let range) where range.lowerBound == range.upperBound:
            ["delay": .string("\(range.lowerBound)ms")]
        case .delay(let range):
            ["delay": ["uniform": [.string("\(range.lowerBound)ms"), .string("\(range.upperBound)ms")]]]
        case .disconnect(nil): ["disconnect": true]
        case .disconnect(let bytes?): ["disconnect": ["after-bytes": .integer(Int64(bytes))]]
        case .losePage: ["lose-page": true]
        case .hideField(let object, let field): ["hide-field": .string("\(object).\(field)")]
        }
    }
}

extension OrgFaults.Rule {
    var json: JSONValue {
        var match: [String: JSONValue] = [:]
        match["method"] = fault.match.method.map { .string($0) }
        match["path"] = fault.match.path.map { .string($0) }
        match["user"] = fault.match.user.map { .string($0.description) }
        return [
            "id": .string(id), "match": .object(match), "effect": fault.effect.json,
            "probability": .number(fault.probability), "count": fault.count.map { .integer(Int64($0)) } ?? .null,
            "until": fault.until.map { .string($0.description) } ?? .null,
        ]
    }
}
