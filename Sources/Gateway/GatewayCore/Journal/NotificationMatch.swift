import APNSModel
package import PayloadJSON

/// What a notification in the journal has to look like; a field that is not named may have any value.
package struct NotificationMatch: Hashable, Sendable {
    /// A field of the envelope or of the verdict, by its JSON key.
    package enum Field: String, Hashable, Sendable, CaseIterable {
        case token
        case topic = "apns-topic"
        case pushType = "apns-push-type"
        case priority = "apns-priority"
        case expiration = "apns-expiration"
        case collapseID = "apns-collapse-id"
        case channelID = "apns-channel-id"
        case apnsID = "apns-id"
        case uniqueID = "apns-unique-id"
        case request, outcome, status, reason, rule, why, environment
        case keyID = "key-id"
        case teamID = "team-id"
        case verified
        /// The id of the fault rule that hit it.
        case fault
        /// A stage that it has reached, such as `delivered`.
        case life
    }

    package enum Requirement: Hashable, Sendable {
        case oneOf([String])
        case present, absent

        package static func equals(_ text: String) -> Requirement { .oneOf([text]) }
    }

    /// A requirement, prepared so that comparing it costs the same for any number of values.
    private struct Condition: Hashable, Sendable {
        let requirement: Requirement
        private let ignoresCase: Bool
        /// The values of which an entry must have one; in lower case where the case does not matter.
        private let values: Set<String>

        init(_ requirement: Requirement, _ field: Field) {
            self.requirement = requirement
            ignoresCase = field.ignoresCase
            if case .oneOf(let wanted) = requirement {
                values = Set(field.ignoresCase ? wanted.map { $0.lowercased() } : wanted)
            } else {
                values = []
            }
        }

        /// - Parameter found: The values of the field; none if it is absent.
        func isMet(by found: [String]) -> Bool {
            switch requirement {
            case .present: !found.isEmpty
            case .absent: found.isEmpty
            case .oneOf: found.contains { values.contains(ignoresCase ? $0.lowercased() : $0) }
            }
        }
    }

    private var conditions: [Field: Condition] = [:]
    /// Nil for any.
    package var payload: PayloadMatch?

    package init() {}

    package subscript(field: Field) -> Requirement? {
        get { conditions[field]?.requirement }
        set { conditions[field] = newValue.map { Condition($0, field) } }
    }

    /// Whether an event after the verdict can make a notification match.
    package var requiresLife: Bool { conditions[.life] != nil }

    package func isMet(by entry: JournalEntry) -> Bool {
        for (field, condition) in conditions where !condition.isMet(by: entry.values(of: field)) { return false }
        guard let payload else { return true }
        guard entry.omittedBytes == 0, let document = try? JSONDocument(entry.payload) else { return false }
        return payload.isMet(by: document, .root)
    }

    /// Whether a field has what is required of it; true where nothing is.
    ///
    /// - Parameter values: The values of the field; none if it is absent.
    func isMet(_ field: Field, by values: [String]) -> Bool { conditions[field]?.isMet(by: values) ?? true }
}

/// Reading one from JSON.
extension NotificationMatch {
    /// What is wrong with a match in JSON, and where.
    package struct ParseError: Error, Hashable, Sendable {
        package let index: JSONIndex
        package let key: String
        /// What should be there; nil for a key that is not known.
        package let wanted: String?
    }

    static let payloadKey = "payload"
    /// How many members and elements a payload may have in JSON. Each of them is looked for in each entry of the journal.
    package static let maximumPayloadValues = 256
    private static let apnsPrefix = "apns-"

    /// The keys of headers without `apns-`, except those that would then be another key.
    package static let shortKeys = Field.allCases.map(\.rawValue).filter { $0.hasPrefix(apnsPrefix) }
        .map { String($0.dropFirst(apnsPrefix.count)) }

    /// Every key that a match may have. Those of headers may also be written without `apns-`.
    package static var keys: [String] { Field.allCases.map(\.rawValue) + [payloadKey] }

    /// Reads an object such as `{"apns-topic":"com.example.agent","payload":{"aps":{"content-available":1}}}`.
    ///
    /// The value of a field is the wanted string or number, an array of allowed ones, `true` for present, and `false` or
    /// `null` for absent. In a payload, null stands for absent. A value that no notification can have is refused, because a
    /// count of 0 would hide a typing error.
    package init(_ document: borrowing JSONDocument, _ object: JSONIndex) throws(ParseError) {
        for member in document.members(of: object) {
            let key = document.string(of: member.key) ?? ""
            if key == NotificationMatch.payloadKey {
                guard let match = PayloadMatch(document, member.value) else {
                    throw ParseError(
                        index: member.value, key: key, wanted: "a JSON value without numbers beyond a double")
                }
                let (count, most) = (match.count, NotificationMatch.maximumPayloadValues)
                guard count <= most else {
                    throw ParseError(
                        index: member.value, key: key,
                        wanted: "a value with at most \(most) members and elements, those of inner objects and arrays "
                            + "included; it has \(count)")
                }
                payload = match
                continue
            }
            guard let field = Field(rawValue: key) ?? Field(rawValue: NotificationMatch.apnsPrefix + key) else {
                throw ParseError(index: member.key, key: key, wanted: nil)
            }
            self[field] = try NotificationMatch.requirement(document, member.value, field)
        }
    }

    private static func requirement(
        _ document: borrowing JSONDocument, _ value: JSONIndex, _ field: Field
    ) throws(ParseError) -> Requirement {
        switch document.kind(of: value) {
        case .null: return .absent
        case .true, .false:
            let isTrue = document.kind(of: value) == .true
            return field == .verified ? .equals(isTrue ? "true" : "false") : isTrue ? .present : .absent
        case .string, .integer: return .equals(try text(document, value, field) ?? "")
        case .array:
            var values: [String] = []
            for element in document.elements(of: value) {
                guard let text = try text(document, element, field) else { break }
                values.append(text)
            }
            if !values.isEmpty, values.count == Array(document.elements(of: value)).count { return .oneOf(values) }
        case .fraction, .object: break
        }
        throw ParseError(
            index: value, key: document.string(of: document.key(of: value)) ?? field.rawValue,
            wanted: "a string, a whole number, an array of those, true for present, or false or null for absent")
    }

    /// A string or a whole number as a text; nil for any other value.
    private static func text(
        _ document: borrowing JSONDocument, _ value: JSONIndex, _ field: Field
    ) throws(ParseError) -> String? {
        let text =
            document.string(of: value) ?? (document.kind(of: value) == .integer ? document.source(of: value) : nil)
        guard let given = text, let known = field.knownValues, !known.contains(given) else { return text }
        let near = Suggestion.best(for: given, among: known).map { "; did you mean \"\($0)\"?" } ?? ""
        throw ParseError(
            index: value, key: field.rawValue, wanted: "one of \(known.joined(separator: ", "))\(near)")
    }
}

extension NotificationMatch.Requirement {
    /// The JSON that it is read from.
    func json(_ field: NotificationMatch.Field) -> String {
        switch self {
        case .present: "true"
        case .absent: "null"
        case .oneOf(let values):
            values.count == 1 ? field.json(values[0]) : "[\(values.map { field.json($0) }.joined(separator: ","))]"
        }
    }
}

extension NotificationMatch.Field {
    fileprivate var ignoresCase: Bool { self == .token || self == .apnsID || self == .uniqueID }

    /// All values that the field can have. Nil where a sender or a fault rule may use others: push types, priorities, and
    /// reasons too.
    package var knownValues: [String]? {
        switch self {
        case .request: RequestKind.allCases.map(\.rawValue)
        case .outcome: NotificationQuery.Outcome.allCases.map(\.rawValue)
        case .environment: APNSEnvironment.allCases.map(\.rawValue)
        case .verified: ["true", "false"]
        case .life: LifeEntry.Stage.allCases.map(\.rawValue)
        default: nil
        }
    }

    /// A number or a Boolean if the field is one and the text is written as JSON writes it, otherwise a string.
    func json(_ text: String) -> String {
        switch self {
        case .priority, .expiration, .status: Int64(text).map { "\($0)" } == text ? text : JSONWriter.quoted(text)
        case .verified: text == "true" || text == "false" ? text : JSONWriter.quoted(text)
        default: JSONWriter.quoted(text)
        }
    }
}

extension JournalEntry {
    /// The values of a field: none if it is absent, several for the stages of a life.
    func values(of field: NotificationMatch.Field) -> [String] {
        if field == .life { return life.map(\.stage.rawValue) }
        let text: String? =
            switch field {
            case .token: token
            case .topic: topic
            case .pushType: pushType
            case .priority: priority
            case .expiration: expiration
            case .collapseID: collapseID
            case .channelID: channelID
            case .apnsID: verdict.apnsID
            case .uniqueID: uniqueID
            case .request: kind.rawValue
            case .outcome: NotificationQuery.Outcome(verdict.outcome).rawValue
            case .status: verdict.status.map { "\($0)" }
            case .reason: verdict.reason?.code
            case .rule: verdict.rule
            case .why: verdict.why
            case .environment: environment.rawValue
            case .keyID: keyID
            case .teamID: teamID
            case .verified: isVerified ? "true" : "false"
            case .fault: fault?.id
            case .life: nil
            }
        return text.map { [$0] } ?? []
    }
}
