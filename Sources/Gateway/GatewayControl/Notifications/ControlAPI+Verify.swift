import GatewayCore
import GatewayJSON
import GatewayRuntime
import PayloadJSON

/// Checks what clients expect in the journal.
extension ControlAPI {
    private static let maximumWait: Int64 = 300_000
    private static let counts: [(key: String, make: @Sendable (Int) -> ExpectedCount)] = [
        ("exactly", { .exactly($0) }), ("at-least", { .atLeast($0) }), ("at-most", { .atMost($0) }),
    ]

    func verify(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        let body = try ControlBody(request.body, keys: ["match", "count", "within", "since", "watch"])
        let within = try body.duration("within")
        if let within, !(0...ControlAPI.maximumWait).contains(within) {
            throw body.wrong("within", "a duration from 0 to 5 minutes such as \"5s\"")
        }
        let expectation = JournalExpectation(
            try body.match("match") ?? NotificationMatch(), try ControlAPI.count(body), since: try body.time("since"),
            isWatched: try body.bool("watch"))
        return .verification(state, expectation, within: within)
    }

    private static func count(_ body: ControlBody) throws(Problem) -> ExpectedCount {
        guard let count = try body.object("count", keys: counts.map(\.key)) else { return .atLeast(1) }
        guard let key = count.present.first, count.present.count == 1,
            let number = try count.integer(key, in: 0...1_000_000_000),
            let make = counts.first(where: { $0.key == key })?.make
        else {
            throw body.wrong(
                "count", "an object with one key, such as {\"exactly\":1}, {\"at-least\":1} or {\"at-most\":1}")
        }
        return make(Int(number))
    }
}

extension LiveWorld.Verification {
    var json: JSONText {
        .object { object in
            object.add("satisfied", isSatisfied)
            object.add("matched", matched)
            object.add("expected", count.description)
            object.add("notifications", strings: newest)
            object.add("near-misses", .array(nearMisses.map(\.json)))
        }
    }
}

extension NearMiss {
    var json: JSONText {
        .object { object in
            object.add("apns-unique-id", uniqueID)
            object.add(
                "differences",
                .array(
                    differences.map { difference in
                        .object { object in
                            object.add("field", difference.field)
                            object.add("wanted", json: Array(difference.wanted.utf8))
                            object.add("found", json: Array(difference.found.utf8))
                        }
                    }))
        }
    }
}
