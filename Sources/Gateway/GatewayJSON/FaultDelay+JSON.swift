import APNSModel
package import GatewayCore
package import PayloadJSON

extension FaultDelay {
    /// - Parameters:
    ///   - body: The object with the key.
    ///   - isEndless: Whether "never" is allowed.
    package init(_ key: String, _ body: ControlBody, isEndless: Bool = true) throws(Problem) {
        guard body.kind(key) == .object, let delay = try body.object(key, keys: ["uniform", "log-normal"]) else {
            let text = try body.string(key)
            if isEndless, text == "never" {
                self = .never
                return
            }
            guard let length = FaultDelay.length(text) else { throw body.wrongDelay(key, isEndless: isEndless) }
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
        default: throw body.wrong(key, "a duration, {\"uniform\":[…]} or {\"log-normal\":{…}}")
        }
    }

    private static func length(_ text: String?) -> Int64? {
        guard let length = text.flatMap({ TimeText.milliseconds(ofDuration: $0) }), range.contains(length) else {
            return nil
        }
        return length
    }

    package var json: JSONText {
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
        case .never: .string("never")
        }
    }
}

extension ControlBody {
    fileprivate func wrongDelay(_ key: String, isEndless: Bool = false) -> Problem {
        let never = isEndless ? ", or \"never\"" : ""
        return wrong(key, "a duration from 0 to 30 days such as \"250ms\", \"5s\" or \"55m\"" + never)
    }
}
