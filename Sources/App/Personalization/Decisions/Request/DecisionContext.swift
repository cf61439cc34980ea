/// What a decision depends on besides the person (docs/reference/personalization.md 1.2, `context`).
///
/// ```swift
/// var context = DecisionContext(attributes: ["category": "Kettles"])
/// context.anchor = DecisionAnchor(id: "7300215", type: "ssot__GoodsProduct__dlm")
/// ```
public struct DecisionContext: Hashable, Sendable {
    /// The account, where the profile of the points is one; then it is asked for instead of the person.
    public var profileID: String?
    /// Only used by the service to spread people over the groups of an experiment.
    public var unifiedIndividualID: String?
    /// The item that the screen is about.
    public var anchor: DecisionAnchor?
    /// The address that led here. The service reads campaign parameters from it.
    public var requestURL: String?
    /// For tracing. Two requests that differ only in it get one cached reply.
    public var correlationID: String?
    /// For tracing, as ``correlationID``.
    public var messageID: String?
    /// Custom variables for targeting and filters. Their names must not be those of the other keys of the context.
    public var attributes: [String: AttributeValue]

    public init(
        profileID: String? = nil, unifiedIndividualID: String? = nil, anchor: DecisionAnchor? = nil,
        requestURL: String? = nil, correlationID: String? = nil,
        messageID: String? = nil, attributes: [String: AttributeValue] = [:]
    ) {
        self.profileID = profileID
        self.unifiedIndividualID = unifiedIndividualID
        self.anchor = anchor
        self.requestURL = requestURL
        self.correlationID = correlationID
        self.messageID = messageID
        self.attributes = attributes
    }

    /// The keys of the context that have a meaning of their own.
    static let reservedKeys: Set<String> = [
        "individualId", "profileId", "unifiedIndividualId", "dataspace", "anchorId", "anchorType", "correlationId",
        "messageId", "requestUrl",
    ]

    /// The same without what is only for tracing.
    var withoutTracing: DecisionContext {
        var context = self
        context.correlationID = nil
        context.messageID = nil
        return context
    }
}

/// The item that a screen is about, and its type.
public struct DecisionAnchor: Hashable, Sendable {
    public var id: String
    /// Such as `ssot__GoodsProduct__dlm`.
    public var type: String?

    public init(id: String, type: String? = nil) {
        self.id = id
        self.type = type
    }
}
