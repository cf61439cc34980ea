import APNSModel
import PushDispatch

extension ServiceFault {
    private static let effects = "status, delay, lose-answer, silence"
    /// The longest delay of an answer, in milliseconds.
    private static let maximumDelay: Int64 = 3_600_000

    /// `{"match":{"path":"decisions"},"effect":{"status":503},"count":1,"probability":1}`
    init(json: JSONValue) throws(ControlProblem) {
        var rule = try ControlBody(json, "the fault rule")
        var path: Path?
        if let value = rule.value("match") {
            var match = try ControlBody(value, "match")
            path = try match.word("path", Path.self)
            try match.finish()
        }
        guard let value = rule.value("effect") else {
            throw .bad("the fault rule: effect is missing, an object with one of \(ServiceFault.effects)")
        }
        let effect = try ServiceFault.effect(value)
        self.init(
            effect, path: path, count: try rule.integer("count", in: 1...1_000_000_000).map { Int($0) },
            probability: try rule.number("probability", in: 0...1) ?? 1)
        try rule.finish()
    }

    private static func effect(_ value: JSONValue) throws(ControlProblem) -> Effect {
        guard value.object?.count == 1 else {
            throw .bad("effect must be an object with one key of \(effects)")
        }
        var members = try ControlBody(value, "effect")
        if let status = try members.integer("status", in: 400...599) { return .status(Int(status)) }
        if let delay = try members.duration("delay", 0...maximumDelay) { return .delay(delay) }
        if try members.isTrue("lose-answer") { return .loseAnswer }
        if try members.isTrue("silence") { return .silence }
        try members.finish()
        throw .bad("effect must be an object with one key of \(effects)")
    }
}

extension ServiceFaults.Rule {
    var json: JSONValue {
        let effect: JSONValue =
            switch fault.effect {
            case .status(let status): ["status": .integer(Int64(status))]
            case .delay(let milliseconds): ["delay": .string(TimeText.duration(milliseconds))]
            case .loseAnswer: ["lose-answer": true]
            case .silence: ["silence": true]
            }
        return [
            "id": .string(id), "match": fault.path.map { ["path": .string($0.rawValue)] } ?? [:], "effect": effect,
            "count": fault.count.map { .integer(Int64($0)) } ?? .null, "probability": .number(fault.probability),
        ]
    }
}
