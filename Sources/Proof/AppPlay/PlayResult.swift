package import PushDispatch

/// What an app has done.
package struct PlayOutcome: Hashable, Sendable {
    /// Why it has not done what it was to do.
    package struct Failure: Hashable, Sendable {
        /// A code, such as `consent`.
        package var error: String
        /// What is wrong and what to do.
        package var detail: String

        package init(_ error: String, _ detail: String) {
            self.error = error
            self.detail = detail
        }
    }

    package var failure: Failure?
    /// What the result has besides, in order.
    package var members: [(key: String, value: JSONValue)] = []
    /// For people; empty if there is nothing to say.
    package var text = ""

    package init(_ text: String = "", _ members: [(key: String, value: JSONValue)] = []) {
        self.text = text
        self.members = members
    }

    package init(_ failure: Failure) { self.failure = failure }

    package static func == (left: PlayOutcome, right: PlayOutcome) -> Bool {
        left.failure == right.failure && left.text == right.text
            && left.members.elementsEqual(right.members) { $0.key == $1.key && $0.value == $1.value }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(failure)
        hasher.combine(text)
        for member in members {
            hasher.combine(member.key)
            hasher.combine(member.value)
        }
    }
}

/// What a step has led to.
package struct PlayResult: Hashable, Sendable {
    /// From 1.
    package var step: Int
    package var name: String
    package var outcome: PlayOutcome

    package var isOK: Bool { outcome.failure == nil }

    private var members: [(key: String, value: JSONValue)] {
        var members: [(key: String, value: JSONValue)] = [
            ("step", .integer(Int64(step))), ("do", .string(name)), ("ok", .bool(isOK)),
        ]
        if let failure = outcome.failure {
            members += [("error", .string(failure.error)), ("detail", .string(failure.detail))]
        }
        return members + outcome.members
    }

    package var json: JSONValue { .object(Dictionary(members, uniquingKeysWith: { first, _ in first })) }

    /// One line, without a line feed; the keys in their order.
    package var line: [UInt8] {
        var bytes: [UInt8] = []
        JSONValue.appendObject(members, to: &bytes)
        return bytes
    }

    /// One line for people.
    package var text: String {
        let count = String(step)
        let start = String(repeating: " ", count: max(0, 3 - count.count)) + count + "  " + name
        if let failure = outcome.failure { return "\(start): \(failure.error): \(failure.detail)" }
        return outcome.text.isEmpty ? "\(start): done" : "\(start): \(outcome.text)"
    }
}
