import PushDispatch

/// The service's answer to one request (docs/reference/personalization.md 2).
///
/// What cannot be used is left out and named in ``issues``; the rest of the reply counts.
public struct DecisionReply: Hashable, Sendable {
    /// The one at the top, else the first inside of an element.
    public var requestID: String?
    /// In the order of the reply, one for each name.
    public var decisions: [Decision]
    public var diagnostics: [DecisionDiagnostic]
    /// What was left out and why, without any value of the reply.
    public var issues: [String]

    /// The decision for a point. Replies are matched by name, never by position.
    public subscript(point: String) -> Decision? { decisions.first { $0.point == point } }

    /// Reads a reply.
    ///
    /// - Parameters:
    ///   - points: The points that were asked for. Answers to other ones are left out; nil takes all.
    ///   - maximumBytes: A longer reply is an error.
    /// - Throws: `responseInvalid` if it is not JSON, or of another shape.
    public static func read(
        _ bytes: [UInt8], points: [String]? = nil, maximumBytes: Int = 4_194_304
    ) throws(DecisionError) -> DecisionReply {
        let limits = JSONLimits(maximumBytes: maximumBytes, maximumDepth: 32, maximumValues: max(1, maximumBytes / 4))
        let value: JSONValue
        do throws(JSONReadError) {
            value = try JSONReader.read(bytes, limits: limits)
        } catch {
            switch error.problem {
            case .malformed: throw invalid("\(error); it may have been cut off, or come from something between")
            case .tooManyBytes, .tooDeep, .tooManyValues:
                throw invalid("it has \(error); ask for fewer points, or raise the limit of bytes")
            }
        }
        return try read(value, points: points.map { Set($0) })
    }

    /// Items of one decision; more are left out. The service sends 24 at most.
    static let maximumItems = 1_000

    static func read(_ value: JSONValue, points: Set<String>?) throws(DecisionError) -> DecisionReply {
        guard let members = value.object else { throw invalid("it is \(value.kindInWords) instead of an object") }
        guard let list = members["personalizations"] else {
            throw invalid("the key personalizations is missing; check that the endpoint is a decision service")
        }
        guard let elements = list.array else {
            throw invalid("personalizations is \(list.kindInWords) instead of an array")
        }
        var reply = DecisionReply(
            requestID: members["requestId"].flatMap(id), decisions: [],
            diagnostics: DecisionDiagnostic.list(members["diagnostics"]), issues: [])
        if reply.requestID == nil {
            reply.requestID = elements.lazy.compactMap { $0.object?["requestId"].flatMap(id) }.first
        }
        var names: Set<String> = []
        for (index, element) in elements.enumerated() {
            switch decision(element, requestID: reply.requestID) {
            case .failure(let problem): reply.note("personalizations[\(index)] \(problem.text)")
            case .success(let decision):
                if let points, !points.contains(decision.point) {
                    reply.note("personalizations[\(index)] is for a point that was not asked for")
                } else if !names.insert(decision.point).inserted {
                    reply.note("personalizations[\(index)] repeats a point; the first counts")
                } else {
                    reply.decisions.append(decision)
                }
            }
        }
        return reply
    }

    private static let maximumIssues = 100

    private mutating func note(_ issue: String) {
        if issues.count < DecisionReply.maximumIssues { issues.append("\(issue), and is left out") }
    }

    private struct Problem: Error { var text: String }

    private static func decision(_ element: JSONValue, requestID: String?) -> Result<Decision, Problem> {
        guard let members = element.object else { return .failure(Problem(text: "is \(element.kindInWords)")) }
        guard let point = members["personalizationPointName"].flatMap(id) else {
            return .failure(Problem(text: "has no usable personalizationPointName"))
        }
        guard let personalizationID = members["personalizationId"].flatMap(id) else {
            return .failure(Problem(text: "has no usable personalizationId, which engagement needs"))
        }
        guard let items = items(members["data"], of: personalizationID) else {
            return .failure(Problem(text: "has data that is not an array of objects"))
        }
        guard let attributes = object(members["attributes"]) else {
            return .failure(Problem(text: "has attributes that are not an object"))
        }
        let decision = Decision(
            point: point, personalizationID: personalizationID,
            pointID: members["personalizationPointId"].flatMap(id), decisionID: members["decisionId"].flatMap(id),
            requestID: members["requestId"].flatMap(id) ?? requestID,
            individualID: members["individualId"].flatMap(id), dataSpace: members["dataSpace"].flatMap(id),
            itemType: members["dmoName"].flatMap(id), attributes: DecisionFields(attributes), items: items,
            diagnostics: DecisionDiagnostic.list(members["diagnostics"]), members: members)
        return .success(decision)
    }

    /// Nil if it is there and not an object.
    private static func object(_ value: JSONValue?) -> [String: JSONValue]? {
        guard let value, value != .null else { return [:] }
        return value.object
    }

    private static func items(_ value: JSONValue?, of personalizationID: String) -> [DecisionItem]? {
        guard let value, value != .null else { return [] }
        guard let elements = value.array?.prefix(maximumItems) else { return nil }
        var items: [DecisionItem] = []
        for (index, element) in elements.enumerated() {
            guard let members = element.object else { return nil }
            let derived = elements.count == 1 ? personalizationID : "\(personalizationID):\(index)"
            items.append(
                DecisionItem(
                    contentID: members["personalizationContentId"].flatMap(id) ?? derived,
                    fields: DecisionFields(members)))
        }
        return items
    }

    /// Of an id or a name, in UTF-8 bytes.
    private static let maximumIDBytes = 512

    /// An id or a name; also from a number. Nil for what nothing should be called.
    private static func id(_ value: JSONValue) -> String? {
        guard let text = FieldScalar.text(value), !text.isEmpty, text.utf8.count <= maximumIDBytes, text.isPlain else {
            return nil
        }
        return text
    }

    private static func invalid(_ detail: String) -> DecisionError {
        DecisionError(.responseInvalid, "the reply cannot be used: \(detail)")
    }
}
