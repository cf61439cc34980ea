import APNSModel
import GatewayCore
import PayloadJSON

/// Fault rules as they are sent and shown (interfaces.md 2.1).
extension FaultRule {
    static let keys = ["match", "effect", "probability", "count", "until"]

    init(_ body: ControlBody) throws(Problem) {
        guard let effect = try body.object("effect", keys: FaultEffect.keys) else {
            throw .badRequest("the key \"effect\" is missing; send for instance {\"effect\":{\"delay\":\"40ms\"}}")
        }
        let match = try body.object("match", keys: ["token", "topic", "push-type"])
        let count = try body.integer("count", in: 1...Int64(Int32.max))
        self.init(
            try FaultEffect(effect), match: try match.map { body throws(Problem) in try Match(body) } ?? Match(),
            probability: try body.number("probability", in: 0...1) ?? 1, count: count.map { Int($0) },
            until: try body.time("until"))
    }
}

extension FaultRule.Match {
    fileprivate init(_ body: ControlBody) throws(Problem) {
        self.init()
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
        pushType = try body.string("push-type")
    }

    fileprivate var json: JSONText {
        .object { object in
            object.addIfAny("token", token?.hex)
            object.addIfAny("topic", topic)
            object.addIfAny("push-type", pushType)
        }
    }
}

extension FaultEffect {
    static let keys = ["refuse", "delay", "silence", "reset", "goaway", "disconnect", "max-concurrent-streams"]

    fileprivate init(_ body: ControlBody) throws(Problem) {
        guard let key = body.present.first, body.present.count == 1 else {
            throw .badRequest("\"effect\" has one key out of \(FaultEffect.keys.joined(separator: ", "))")
        }
        switch key {
        case "refuse": self = .refuse(try FaultEffect.refusal(body))
        case "delay": self = .delay(try FaultDelay(body))
        case "silence": self = .silence(try FaultEffect.moment(key, body))
        case "reset": self = try FaultEffect.reset(body)
        case "goaway": self = .goAway(try GoAwayFault(body))
        case "disconnect": self = .disconnect(try FaultEffect.moment(key, body))
        default: self = .maximumConcurrentStreams(try FaultEffect.word(key, body) ?? 0)
        }
    }

    private static func refusal(_ body: ControlBody) throws(Problem) -> Reason {
        guard let refusal = try body.object("refuse", keys: ["status", "reason"]),
            let code = try reasonCode(refusal)
        else { throw body.wrong("refuse", "an object such as {\"status\":429,\"reason\":\"TooManyRequests\"}") }
        let known = Reason.deviceReasons.first { $0.reason.code == code }?.reason
        guard let status = try refusal.integer("status", in: 400...599).map({ Int($0) }) ?? known?.status else {
            throw refusal.wrong("status", "there, from 400 to 599, for a reason that is not documented")
        }
        return Reason(code, status)
    }

    fileprivate static func reasonCode(_ body: ControlBody) throws(Problem) -> String? {
        guard let code = try body.string("reason") else { return nil }
        guard (1...64).contains(code.utf8.count), code.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) else {
            throw body.wrong("reason", "1 to 64 ASCII letters and digits such as TooManyRequests")
        }
        return code
    }

    private static func moment(_ key: String, _ body: ControlBody) throws(Problem) -> Moment {
        if body.kind(key) == .true { return .before }
        if body.kind(key) == .string, try body.string(key) == "after" { return .after }
        throw body.wrong(key, "true, or \"after\" for a request that is judged first")
    }

    private static func reset(_ body: ControlBody) throws(Problem) -> FaultEffect {
        guard body.kind("reset") == .object, let reset = try body.object("reset", keys: ["code", "after"]) else {
            return .reset(code: try word("reset", body) ?? 0, .before)
        }
        guard let code = try word("code", reset) else { throw reset.wrong("code", "there, such as 7 (REFUSED_STREAM)") }
        return .reset(code: code, try reset.bool("after") ?? false ? .after : .before)
    }

    private static func word(_ key: String, _ body: ControlBody) throws(Problem) -> UInt32? {
        try body.integer(key, in: 0...Int64(UInt32.max)).map { UInt32($0) }
    }

    fileprivate var json: JSONText {
        .object { object in
            switch self {
            case .refuse(let reason):
                object.add(
                    "refuse",
                    .object {
                        $0.add("status", reason.status)
                        $0.add("reason", reason.code)
                    })
            case .delay(let delay): object.add("delay", delay.json)
            case .silence(let moment): object.add("silence", moment)
            case .reset(let code, .before): object.add("reset", code)
            case .reset(let code, .after):
                object.add(
                    "reset",
                    .object {
                        $0.add("code", code)
                        $0.add("after", true)
                    })
            case .goAway(let fault): object.add("goaway", fault.json)
            case .disconnect(let moment): object.add("disconnect", moment)
            case .maximumConcurrentStreams(let limit): object.add("max-concurrent-streams", limit)
            }
        }
    }
}

extension JSONText {
    fileprivate mutating func add(_ name: StaticString, _ moment: FaultEffect.Moment) {
        switch moment {
        case .before: add(name, true)
        case .after: add(name, "after")
        }
    }
}

extension FaultDelay {
    /// - Parameter body: The object with the key `delay`.
    fileprivate init(_ body: ControlBody) throws(Problem) {
        guard body.kind("delay") == .object, let delay = try body.object("delay", keys: ["uniform", "log-normal"])
        else {
            guard let length = FaultDelay.length(try body.string("delay")) else { throw body.wrongDelay("delay") }
            self = .fixed(length)
            return
        }
        switch delay.present {
        case ["uniform"]:
            let ends = try delay.strings("uniform") ?? []
            guard ends.count == 2, let low = FaultDelay.length(ends[0]), let high = FaultDelay.length(ends[1]),
                low <= high
            else { throw delay.wrong("uniform", "the shortest and the longest duration, such as [\"10ms\",\"2s\"]") }
            self = .uniform(low...high)
        case ["log-normal"]:
            guard let normal = try delay.object("log-normal", keys: ["median", "sigma"]),
                let sigma = try normal.number("sigma", in: FaultDelay.sigmaRange)
            else { throw delay.wrong("log-normal", "an object such as {\"median\":\"40ms\",\"sigma\":0.8}") }
            guard let median = FaultDelay.length(try normal.string("median")) else { throw normal.wrongDelay("median") }
            self = .logNormal(median: median, sigma: sigma)
        default: throw body.wrong("delay", "a duration, {\"uniform\":[…]} or {\"log-normal\":{…}}")
        }
    }

    private static func length(_ text: String?) -> Int64? {
        guard let length = text.flatMap({ TimeText.milliseconds(ofDuration: $0) }), range.contains(length) else {
            return nil
        }
        return length
    }

    fileprivate var json: JSONText {
        switch self {
        case .fixed(let length): .string("\(length)ms")
        case .uniform(let range):
            .object { $0.add("uniform", strings: ["\(range.lowerBound)ms", "\(range.upperBound)ms"]) }
        case .logNormal(let median, let sigma):
            .object { object in
                object.add(
                    "log-normal",
                    .object {
                        $0.add("median", "\(median)ms")
                        $0.add("sigma", sigma)
                    })
            }
        }
    }
}

extension ControlBody {
    fileprivate func wrongDelay(_ key: String) -> Problem {
        wrong(key, "a duration from 0 to 30 days such as \"250ms\", \"5s\" or \"55m\"")
    }
}

extension GoAwayFault {
    /// - Parameter body: The object with the key `goaway`.
    fileprivate init(_ body: ControlBody) throws(Problem) {
        self.init()
        guard let fault = try body.object("goaway", keys: ["reason", "last-stream", "twice", "close"]) else { return }
        if let code = try FaultEffect.reasonCode(fault) { reason = Reason(code, Reason.shutdown.status) }
        if let named: LastStream = try fault.word("last-stream") { lastStream = named }
        isTwice = try fault.bool("twice") ?? isTwice
        closes = try fault.bool("close") ?? closes
    }

    fileprivate var json: JSONText {
        .object { object in
            object.add("reason", reason.code)
            object.add("last-stream", lastStream.rawValue)
            object.add("twice", isTwice)
            object.add("close", closes)
        }
    }
}

extension ActiveFault {
    var json: JSONText {
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
