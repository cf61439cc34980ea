public import APNSModel

/// The payload of a push that an app opens with recommendations: an alert, and what the app asks the decision service for
/// when the user opens it (docs/reference/personalization.md 7).
///
/// ```swift
/// let push = try PersonalizedPush(
///     AlertPush(Alert(title: "New kettle range", body: "See what fits you")),
///     points: ["notification_landing_recs"], context: ["category": "Kettles"],
///     link: "https://www.example.com/c/kitchen/kettles")
/// ```
public struct PersonalizedPush: PushPayload {
    public static let pushType = PushType.alert

    /// What the user sees.
    public let content: AlertPush
    /// The names of the personalization points to fetch. Empty: the landing point of the app.
    public let points: [String]
    /// Text, numbers, true and false for the decision, such as a category or a campaign.
    public let context: [String: PayloadValue]
    /// Where the app goes at once, before the decision is there.
    public let link: String?

    /// - Parameters:
    ///   - content: Has an alert, because the app fetches when the user opens the push. Its own data must not have the keys
    ///     `type` and `personalization`.
    ///   - points: Different names of 1 to 80 letters, digits, `_`, `-` and `.`.
    ///   - context: Keys as the names of points. None of them says who the person is: the app knows that.
    ///   - link: A URL with `https` and a host.
    /// - Throws: An error that names what the app would ignore.
    public init(
        _ content: AlertPush, points: [String] = [], context: [String: PayloadValue] = [:], link: String? = nil
    ) throws(PersonalizedPushError) {
        guard content.alert != nil else { throw .noAlert }
        for key in ["type", "personalization"] where content.custom[key] != nil { throw .reservedKey(key) }
        var names: Set<String> = []
        for point in points {
            guard PersonalizedText.isName(point) else { throw .badPoint(point) }
            guard names.insert(point).inserted else { throw .repeatedPoint(point) }
        }
        for (key, value) in PayloadValue.sorted(context) {
            guard !PersonalizedText.identityKeys.contains(key) else { throw .identityKey(key) }
            guard PersonalizedText.isName(key) else { throw .badContextKey(key) }
            switch value {
            case .array, .object: throw .badContextValue(key)
            case .string, .integer, .number, .boolean: break
            }
        }
        if let link, let problem = PersonalizedText.problem(ofLink: link) { throw .badLink(problem) }
        (self.content, self.points, self.context, self.link) = (content, points, context, link)
    }

    public func encoded() -> [UInt8] {
        var members: [String: PayloadValue] = [:]
        if !points.isEmpty { members["points"] = .array(points.map { .string($0) }) }
        if !context.isEmpty { members["context"] = .object(context) }
        if let link { members["link"] = .string(link) }
        var push = content
        var values = push.custom.values
        values["type"] = "PERSONALIZED"
        values["personalization"] = .object(members)
        // Custom data has no reserved key, and neither of the two is one.
        if let custom = try? CustomData(values) { push.custom = custom }
        return push.encoded()
    }
}
