import APNSModel
import APNSPayload
import PayloadJSON

/// A rule as JSON.
enum RuleText {
    /// - Parameter isWhole: Whether rationale, source and examples are included.
    static func json(_ rule: Rule, isWhole: Bool = false) -> String {
        var members = [
            ("id", JSONWriter.quoted(rule.id)), ("severity", JSONWriter.quoted(rule.severity.rawValue)),
            ("layer", JSONWriter.quoted(rule.layer.rawValue)), ("summary", JSONWriter.quoted(rule.summary)),
        ]
        if isWhole {
            members += [
                ("refusal", quoted(rule.refusal?.code)), ("rationale", JSONWriter.quoted(rule.rationale)),
                ("source", JSONWriter.quoted(rule.source)), ("passes", list(rule.passes)), ("fails", list(rule.fails)),
            ]
        }
        return object(members)
    }

    private static func list(_ examples: [Example]) -> String {
        "[" + examples.map { object(members(of: $0)) }.joined(separator: ",") + "]"
    }

    /// The headers of an example with their wire names, as far as it has them, and its payload.
    private static func members(of example: Example) -> [(String, String)] {
        [
            example.topic.map { ("apns-topic", JSONWriter.quoted($0)) },
            example.pushType.map { ("apns-push-type", JSONWriter.quoted($0.rawValue)) },
            // A string where it is not a number that JSON can have, because an example may have any header.
            example.priority.map { ("apns-priority", isInteger($0.text) ? $0.text : JSONWriter.quoted($0.text)) },
            // As a string, because an example may be invalid JSON.
            ("payload", JSONWriter.quoted(example.payload)),
        ].compactMap { $0 }
    }

    private static func isInteger(_ text: String) -> Bool { Int(text).map { "\($0)" == text } ?? false }

    private static func object(_ members: [(String, String)]) -> String {
        "{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
    }

    private static func quoted(_ text: String?) -> String { text.map { JSONWriter.quoted($0) } ?? "null" }
}
