import APNSModel
package import PushDispatch

extension PathFault {
    private static var effects: String { "status, delay, lose-answer, silence" }
    /// The longest delay of an answer, in milliseconds.
    private static var maximumDelay: Int64 { 3_600_000 }

    /// `{"match":{"path":"events"},"effect":{"status":503},"count":1,"probability":1}`
    package init(json: JSONValue) throws(ControlProblem) {
        var rule = try ControlMembers(json, "the fault rule")
        var path: Path?
        if let value = rule.value("match") {
            var match = try ControlMembers(value, "match")
            path = try match.word("path", Path.self)
            try match.finish()
        }
        guard let value = rule.value("effect") else {
            throw .bad("the fault rule: effect is missing, an object with one of \(PathFault.effects)")
        }
        let effect = try PathFault.effect(value)
        self.init(
            effect, path: path, count: try rule.integer("count", in: 1...1_000_000_000).map { Int($0) },
            probability: try rule.number("probability", in: 0...1) ?? 1)
        try rule.finish()
    }

    private static func effect(_ value: JSONValue) throws(ControlProblem) -> Effect {
        var members = try ControlMembers(value, "effect")
        var found: [Effect] = []
        let pause = try members.duration("retry-after", in: 0...maximumDelay)
        if let status = try members.integer("status", in: 400...599) {
            found.append(.status(Int(status), pause: pause))
        } else if pause != nil {
            throw .bad("effect: retry-after is only for a status")
        }
        if let delay = try members.duration("delay", in: 0...maximumDelay) { found.append(.delay(delay)) }
        if try members.isTrue("lose-answer") { found.append(.loseAnswer) }
        if try members.isTrue("silence") { found.append(.silence) }
        try members.finish()
        guard found.count == 1 else { throw .bad("effect must be an object with one key of \(effects)") }
        return found[0]
    }
}

extension PathFaults.Rule {
    package var json: JSONValue {
        let effect: JSONValue =
            switch fault.effect {
            case .status(let status, nil): ["status": .integer(Int64(status))]
            case .status(let status, let pause?):
                ["status": .integer(Int64(status)), "retry-after": .string(TimeText.duration(pause))]
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
