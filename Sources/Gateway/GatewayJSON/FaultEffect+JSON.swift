import APNSModel
package import GatewayCore
package import PayloadJSON

extension FaultEffect {
    package static let keys = [
        "refuse", "delay", "silence", "reset", "goaway", "disconnect", "half-open", "max-concurrent-streams", "window",
        "lose", "duplicate", "offline", "uninstall", "slow-body", "slow-accept",
    ]

    package init(_ body: ControlBody) throws(Problem) {
        guard let key = body.present.first, body.present.count == 1 else {
            throw body.problem("\"effect\" must have exactly one key of \(FaultEffect.keys.joined(separator: ", "))")
        }
        switch key {
        case "refuse": self = try FaultEffect.refusal(body)
        case "delay": self = .delay(try FaultDelay(key, body))
        case "silence": self = .silence(try FaultEffect.moment(key, body))
        case "reset": self = try FaultEffect.reset(body)
        case "goaway": self = .goAway(try GoAwayFault(body))
        case "disconnect": self = try FaultEffect.disconnection(body)
        case "half-open": self = .halfOpen(try FaultEffect.moment(key, body))
        case "max-concurrent-streams": self = .maximumConcurrentStreams(try FaultEffect.word(key, body) ?? 0)
        case "window": self = .window(try WindowFault(body))
        case "lose":
            guard body.kind(key) == .true else { throw body.wrong(key, "true") }
            self = .lose
        case "duplicate":
            let range = Int64(FaultEffect.copies.lowerBound)...Int64(FaultEffect.copies.upperBound)
            self = .duplicate(Int(try body.integer(key, in: range) ?? range.lowerBound))
        case "offline":
            if body.kind(key) == .true {
                self = .offline(nil)
            } else {
                self = .offline(try FaultDelay(key, body, isEndless: false))
            }
        case "uninstall": self = .uninstall(noticedAfter: try FaultDelay(key, body))
        case "slow-body": self = .slowBody(try FaultDelay(key, body))
        default: self = .slowAccept(try FaultDelay(key, body))
        }
    }

    private static func refusal(_ body: ControlBody) throws(Problem) -> FaultEffect {
        guard let refusal = try body.object("refuse", keys: ["status", "reason", "max-concurrent-streams"]),
            let code = try reasonCode(refusal)
        else { throw body.wrong("refuse", "an object such as {\"status\":429,\"reason\":\"TooManyRequests\"}") }
        let knownSpelling = Reason.named(code, status: 0).code  // a documented spelling has the status of its wire name
        let known = (Reason.deviceReasons + Reason.broadcastReasons).first { $0.reason.code == knownSpelling }?.reason
        guard let status = try refusal.integer("status", in: 400...599).map({ Int($0) }) ?? known?.status else {
            throw refusal.wrong("status", "there, from 400 to 599, for a reason that is not documented")
        }
        return .refuse(Reason(code, status), streams: try word("max-concurrent-streams", refusal))
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

    private static func disconnection(_ body: ControlBody) throws(Problem) -> FaultEffect {
        guard body.kind("disconnect") == .object, let form = try body.object("disconnect", keys: ["after", "reset"])
        else { return .disconnect(try moment("disconnect", body)) }
        return .disconnect(
            try form.bool("after") ?? false ? .after : .before, isReset: try form.bool("reset") ?? false)
    }

    fileprivate static func word(_ key: String, _ body: ControlBody) throws(Problem) -> UInt32? {
        try body.integer(key, in: 0...Int64(UInt32.max)).map { UInt32($0) }
    }

    package var json: JSONText {
        .object { object in
            switch self {
            case .refuse(let reason, let streams):
                object.add(
                    "refuse",
                    .object {
                        $0.add("status", reason.status)
                        $0.add("reason", reason.code)
                        if let streams { $0.add("max-concurrent-streams", streams) }
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
            case .disconnect(let moment, isReset: false): object.add("disconnect", moment)
            case .disconnect(let moment, isReset: true):
                object.add(
                    "disconnect",
                    .object {
                        if moment == .after { $0.add("after", true) }
                        $0.add("reset", true)
                    })
            case .halfOpen(let moment): object.add("half-open", moment)
            case .maximumConcurrentStreams(let limit): object.add("max-concurrent-streams", limit)
            case .window(let fault): object.add("window", fault.json)
            case .lose: object.add("lose", true)
            case .duplicate(let count): object.add("duplicate", count)
            case .offline(nil): object.add("offline", true)
            case .offline(let delay?): object.add("offline", delay.json)
            case .uninstall(let delay): object.add("uninstall", delay.json)
            case .slowBody(let delay): object.add("slow-body", delay.json)
            case .slowAccept(let delay): object.add("slow-accept", delay.json)
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

extension WindowFault {
    /// - Parameter body: The object with the key `window`.
    fileprivate init(_ body: ControlBody) throws(Problem) {
        guard body.kind("window") == .object, let window = try body.object("window", keys: ["bytes", "for"]) else {
            self.init(bytes: UInt32(try body.integer("window", in: WindowFault.range) ?? 0))
            return
        }
        guard let bytes = try window.integer("bytes", in: WindowFault.range) else {
            throw window.wrong("bytes", "there, such as 0 for a closed window")
        }
        self.init(
            bytes: UInt32(bytes),
            time: window.kind("for") == nil ? nil : try FaultDelay("for", window, isEndless: false))
    }

    fileprivate var json: JSONText {
        guard let time else { return JSONText(number: Int64(bytes)) }
        return .object { object in
            object.add("bytes", bytes)
            object.add("for", time.json)
        }
    }
}

extension GoAwayFault {
    /// - Parameter body: The object with the key `goaway`.
    fileprivate init(_ body: ControlBody) throws(Problem) {
        self.init()
        guard let fault = try body.object("goaway", keys: ["reason", "last-stream", "twice", "close", "code"]) else {
            return
        }
        if let code = try FaultEffect.reasonCode(fault) { reason = Reason(code, Reason.shutdown.status) }
        if let named: LastStream = try fault.word("last-stream") { lastStream = named }
        isTwice = try fault.bool("twice") ?? isTwice
        code = try FaultEffect.word("code", fault) ?? code
        switch fault.kind("close") {
        case nil, .true: closing = .whenDone
        case .false: closing = .never
        case .string where try fault.string("close") == "now": closing = .now
        default: throw fault.wrong("close", "true, false, or \"now\" to close at once without further answers")
        }
    }

    fileprivate var json: JSONText {
        .object { object in
            object.add("reason", reason.code)
            object.add("last-stream", lastStream.rawValue)
            object.add("twice", isTwice)
            switch closing {
            case .never: object.add("close", false)
            case .whenDone: object.add("close", true)
            case .now: object.add("close", "now")
            }
            if code != 0 { object.add("code", code) }
        }
    }
}
