import APNSModel
package import GatewayCore
package import PayloadJSON

/// Fault rules as they are sent, kept in files and shown (docs/reference/interfaces.md 2.1).
extension FaultRule {
    package static let keys = ["match", "effect", "probability", "count", "until"]
    /// Those in the file of a world.
    package static let fileKeys = keys + ["id"]

    /// `until` may be any time: whether it is over is decided by the clock of the world that gets the rule.
    package init(_ body: ControlBody) throws(Problem) {
        guard let effect = try body.object("effect", keys: FaultEffect.keys) else {
            throw body.problem("the key \"effect\" is missing; send for example {\"effect\":{\"delay\":\"40ms\"}}")
        }
        let match = try body.object("match", keys: Match.keys)
        let count = try body.integer("count", in: 1...Int64(Int32.max))
        self.init(
            try FaultEffect(effect), match: try match.map { body throws(Problem) in try Match(body) } ?? Match(),
            probability: try body.number("probability", in: 0...1) ?? 1, count: count.map { Int($0) },
            until: try body.time("until"))
        if let text = try body.string("id") {
            guard let id = Int(text), FaultRule.ids.contains(id), String(id) == text else {
                throw body.wrong("id", "the id of a fault rule as a string, such as \"2\"")
            }
            self.id = id
        }
        guard !self.effect.isForConnections || self.match.isOpen else {
            throw body.wrong("match", "absent for slow-accept: nothing is known about a new connection")
        }
    }
}

extension FaultRule.Match {
    fileprivate static let keys = ["world", "token", "topic", "app", "push-type", "headers"]

    fileprivate init(_ body: ControlBody) throws(Problem) {
        self.init()
        if let text = try body.string("world") {
            guard let name = WorldName(text) else { throw body.wrong("world", WorldName.form) }
            world = name
        }
        if let text = try body.string("token") {
            guard let token = DeviceToken(text) else {
                throw body.wrong("token", "an even number of hexadecimal digits")
            }
            self.token = token
        }
        if let text = try body.string("topic") {
            guard Topic(text) != nil else { throw body.wrong("topic", "a topic such as com.example.agent") }
            topic = text
        }
        if let text = try body.string("app") {
            guard let named = Topic(text), named.suffix.isEmpty else {
                throw body.wrong("app", "a bundle id such as com.example.agent, without a suffix such as .voip")
            }
            app = text
        }
        pushType = try body.string("push-type")
        let names = HeaderCondition.Name.allCases
        guard let wishes = try body.object("headers", keys: names.map(\.rawValue)) else { return }
        for name in names {
            switch wishes.kind(name.rawValue) {
            case nil: continue
            case .true: headers.append(HeaderCondition(name, .present))
            case .false: headers.append(HeaderCondition(name, .absent))
            case .string where name != .authorization:
                headers.append(HeaderCondition(name, .value(try wishes.string(name.rawValue) ?? "")))
            default:
                let text = name == .authorization ? "" : ", or the value of the header"
                throw wishes.wrong(name.rawValue, "true for present, false for absent" + text)
            }
        }
    }

    var json: JSONText {
        .object { object in
            object.addIfAny("world", world?.text)
            object.addIfAny("token", token?.hex)
            object.addIfAny("topic", topic)
            object.addIfAny("app", app)
            object.addIfAny("push-type", pushType)
            guard !headers.isEmpty else { return }
            object.add(
                "headers",
                .object { object in
                    for header in headers {
                        let value =
                            switch header.requirement {
                            case .present: Array("true".utf8)
                            case .absent: Array("false".utf8)
                            case .value(let text): JSONText.string(text).bytes
                            }
                        object.add(name: header.name.rawValue, json: value)
                    }
                })
        }
    }
}

extension ActiveFault {
    package var json: JSONText {
        .object { object in
            object.add("id", id)
            object.add("match", rule.match.json)
            object.add("effect", rule.effect.json)
            object.add("probability", rule.probability)
            object.add("used", used)
            if let count = rule.count { object.add("count", count) }
            if let remaining { object.add("remaining", remaining) }
            if let until = rule.until { object.add("until", time: until) }
        }
    }
}
