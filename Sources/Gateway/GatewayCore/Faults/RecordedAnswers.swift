/// The answers of a recording, for requests like the recorded ones: to the same device token, with the same topic and push
/// type. They come in the order of the recording, and the last one repeats.
package struct RecordedAnswers: Sendable {
    package struct Key: Hashable, Sendable {
        /// In lower case.
        let token: String
        let topic: String
        let pushType: String

        package init(token: String, topic: String?, pushType: String?) {
            self.token = token.lowercased()
            self.topic = topic ?? ""
            self.pushType = pushType ?? ""
        }
    }

    private var answers: [Key: [Verdict.Outcome]] = [:]
    /// How many answers of each list were given.
    private var given: [Key: Int] = [:]
    package private(set) var count = 0

    /// How many answers a gateway keeps at most.
    package static let maximum = 100_000

    package init() {}

    package var isEmpty: Bool { answers.isEmpty }

    /// - Returns: False where there are too many.
    package mutating func add(_ outcome: Verdict.Outcome, for key: Key) -> Bool {
        guard count < RecordedAnswers.maximum else { return false }
        answers[key, default: []].append(outcome)
        count += 1
        return true
    }

    /// The next answer; nil for a request that was not recorded.
    mutating func next(_ key: Key) -> Verdict.Outcome? {
        guard let list = answers[key] else { return nil }
        let index = given[key, default: 0]
        if index + 1 < list.count { given[key] = index + 1 }
        return list[index]
    }

    /// The memory of all answers in bytes.
    var heldBytes: Int { count * 320 }
}

extension World {
    /// Answers from the recording; nil for a request that was not recorded.
    ///
    /// A recorded acceptance is an acceptance, whatever the checks say. The notification is delivered if they have no
    /// objection: otherwise there is no device that it could be delivered to.
    mutating func recordedAnswer(
        to request: inout Inspection, on connection: inout GatewayConnection
    ) -> (Objection?, rule: String)? {
        guard !recordedAnswers.isEmpty, request.channel == nil, let token = request.pathToken else { return nil }
        let key = RecordedAnswers.Key(
            token: String(token), topic: request.head.topic, pushType: request.head.pushType)
        guard let outcome = recordedAnswers.next(key) else { return nil }
        switch outcome {
        case .unprocessed: return nil
        case .refused(let reason, let timestamp):
            return (
                Objection(reason, "the recording has this answer (--answers)", timestamp: timestamp),
                Verdict.recordedRule
            )
        case .accepted:
            for position in checks.indices {
                let body = checks[position].body
                guard body(&request, &self, &connection) != nil else { continue }
                (request.deviceToken, request.slot) = (nil, nil)
                break
            }
            return (nil, Verdict.recordedRule)
        }
    }
}
