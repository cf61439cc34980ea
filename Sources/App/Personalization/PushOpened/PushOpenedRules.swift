public import PushDispatch

/// How a personalization push is recognised, and what it may bring (docs/reference/personalization.md 7).
///
/// A payload comes from outside. Only listed points and context keys are taken from it, only single values, and never who the
/// person is.
public struct PushOpenedRules: Hashable, Sendable {
    /// The keys of the payload. No standard fixes them.
    public struct Keys: Hashable, Sendable {
        public var type = "type"
        public var personalization = "personalization"
        /// In the object of ``personalization``.
        public var points = "points"
        public var context = "context"
        public var link = "link"

        public init() {}
    }

    public var keys = Keys()
    /// The value of ``Keys/type``, compared exactly.
    public var type = "PERSONALIZED"
    /// The points that a payload may name.
    public var points: Set<String> = ["notification_landing_recs"]
    /// What is fetched for a payload that names no such point.
    public var defaultPoints = ["notification_landing_recs"]
    /// The context keys that a payload may bring. `anchorId`, `anchorType`, `requestUrl`, `correlationId` and `messageId`
    /// have the meaning that they have in a request; the others become attributes.
    public var contextKeys: Set<String> = ["category", "campaign", "anchorId"]
    /// Of a link and of each text of the context, in UTF-8 bytes. Ids of the context have at most 255, as in a request.
    public var maximumTextBytes = 2_048
    /// The actions of a notification that open it, besides a tap on itself.
    public var openingActions: Set<String> = []

    public init() {}

    /// Keys that say for whom or where decisions are asked for. A payload must not choose that, whatever is listed.
    static let forbiddenKeys: Set<String> = ["individualId", "profileId", "unifiedIndividualId", "dataspace"]

    /// Whether the push is of this type, so that no other handler should see it.
    public func matches(_ push: Push) -> Bool { push[keys.type]?.string == type }

    /// Whether the action opens the notification. Waving it away does not.
    public func opens(_ action: PushTap.Action) -> Bool {
        switch action {
        case .open: true
        case .dismiss: false
        case .custom(let identifier): openingActions.contains(identifier)
        }
    }

    /// Reads a push; nil if it is of another type. What cannot be used is left out and named in the issues.
    public func read(_ push: Push) -> PersonalizedPush? {
        guard matches(push) else { return nil }
        var result = PersonalizedPush(points: defaultPoints)
        result.issues = push.issues
        guard let value = push[keys.personalization], value != .null else { return result }
        guard let members = value.object else {
            result.issue(.wrongKind, [keys.personalization], "is \(value.kindInWords); expected an object")
            return result
        }
        readPoints(members[keys.points], into: &result)
        readContext(members[keys.context], into: &result)
        if let link = members[keys.link], link != .null {
            if let text = link.string, !text.isEmpty, text.utf8.count <= maximumTextBytes, text.isPlain {
                result.link = text
            } else {
                result.issue(
                    .wrongKind, [keys.personalization, keys.link],
                    "is left out; expected a string of 1 to \(maximumTextBytes) bytes without control characters")
            }
        }
        return result
    }

    private func readPoints(_ value: JSONValue?, into result: inout PersonalizedPush) {
        guard let value, value != .null else { return }
        let place = [keys.personalization, keys.points]
        guard let elements = value.array else {
            return result.issue(.wrongKind, place, "is \(value.kindInWords); expected an array of strings")
        }
        var names: [String] = []
        for (index, element) in elements.enumerated() {
            if let name = element.string, points.contains(name) {
                if !names.contains(name) { names.append(name) }
            } else {
                result.issue(
                    .notAllowed, place + [String(index)], "is not a point that the app allows, and is left out")
            }
        }
        if !names.isEmpty { result.points = names }
    }

    private func readContext(_ value: JSONValue?, into result: inout PersonalizedPush) {
        guard let value, value != .null else { return }
        let place = [keys.personalization, keys.context]
        guard let members = value.object else {
            return result.issue(.wrongKind, place, "is \(value.kindInWords); expected an object")
        }
        let allowed = contextKeys.subtracting(PushOpenedRules.forbiddenKeys)
        for key in members.keys.sorted() {
            guard allowed.contains(key) else {
                // The name is the payload's own, so it is not shown.
                result.issue(.notAllowed, place, "has a key that the app does not allow, which is left out")
                continue
            }
            let limit = min(maximumTextBytes, DecisionContext.maximumBytes(of: key))
            guard let attribute = members[key].flatMap({ attribute($0, limit) }) else {
                result.issue(
                    .wrongKind, place + [key],
                    "is left out; expected a string of at most \(limit) bytes, a number or a Boolean")
                continue
            }
            result.context.take(attribute, key)
        }
        if result.context.anchor?.id.isEmpty == true { result.context.anchor = nil }
    }

    /// Nil for what is not a single value.
    private func attribute(_ value: JSONValue, _ limit: Int) -> AttributeValue? {
        switch value {
        case .string(let text):
            text.utf8.count <= limit && !text.isEmpty && text.isPlain ? .text(text) : nil
        case .integer(let number): .integer(number)
        case .number(let number): FieldScalar.decimal(.number(number)).map { .decimal($0) }
        case .bool(let flag): .boolean(flag)
        case .null, .array, .object: nil
        }
    }
}

extension DecisionContext {
    /// The longest text that a request takes under a key.
    fileprivate static func maximumBytes(of key: String) -> Int {
        ["anchorId", "anchorType", "correlationId", "messageId"].contains(key)
            ? DecisionRequest.maximumNameBytes : DecisionRequest.maximumTextBytes
    }

    /// Sets the value of a key of a request's context, or an attribute.
    fileprivate mutating func take(_ value: AttributeValue, _ key: String) {
        switch key {
        case "anchorId": anchor = DecisionAnchor(id: value.text, type: anchor?.type)
        case "anchorType": anchor = DecisionAnchor(id: anchor?.id ?? "", type: value.text)
        case "requestUrl": requestURL = value.text
        case "correlationId": correlationID = value.text
        case "messageId": messageID = value.text
        default: attributes[key] = value
        }
    }
}

extension PushIssue.Code {
    /// The payload names something that the app does not allow in it.
    public static let notAllowed = PushIssue.Code("not-allowed")
}
