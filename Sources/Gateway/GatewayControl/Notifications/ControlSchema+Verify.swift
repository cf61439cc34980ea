import GatewayCore

/// Requests that ask the journal for notifications.
extension ControlSchema {
    static let match: ControlSchema = {
        let texts = ControlSchema.anyOf([.string, .integer])
        let wish = ControlSchema.anyOf([.boolean, .string, .integer, .array(texts, from: 1)])
        var members: [(String, ControlSchema)] = NotificationMatch.Field.allCases.map { field in
            (field.rawValue, field.knownValues.map { ControlSchema.oneOf($0) } ?? wish)
        }
        let payload = ControlSchema.any.described(
            "Of an object only the members given here are compared. At most \(NotificationMatch.maximumPayloadValues) "
                + "members and elements, those of inner objects and arrays included.")
        members.append(("payload", payload))
        for short in NotificationMatch.shortKeys { members.append((short, wish)) }
        return .open(members).described(
            "The string or number that a field must equal, an array of which it must equal one, true for present, "
                + "false or null for absent.")
    }()

    /// What a match asks of a field that has only these values.
    private static func oneOf(_ values: [String]) -> ControlSchema {
        .anyOf([.boolean, .words(values), .array(.words(values), from: 1)])
    }

    static let verify = ControlSchema.request([
        "match": .named("Match"),
        "count": .anyOf(
            ["exactly", "at-least", "at-most"].map { only($0, .integer(0...1_000_000_000)) }),
        "within": .string(pattern: "^([0-9]{1,5}ms|[12]?[0-9]{1,2}s|[0-5]m)$")
            .described("How long to wait, such as 5s; at most 5m. Absent: not at all."),
        "since": moment.described("Only what was received at this time of the world's clock or later."),
        "watch": .boolean.described(
            "Whether to wait the whole time, even if the count is reached early. Absent: only if a count of 0 is enough."
        ),
    ])
}
