public import PushDispatch

/// What to show at one personalization point.
public struct Decision: Hashable, Sendable {
    /// The point's name.
    public var point: String
    /// What engagement with the decision must carry; nil for default content of the app, which nothing is reported about.
    public var personalizationID: String?
    /// The point's id, which begins with `9pp`.
    public var pointID: String?
    /// The id of the decision in the service's configuration, which begins with `9pb`.
    public var decisionID: String?
    public var requestID: String?
    /// The person that the service found.
    public var individualID: String?
    public var dataSpace: String?
    /// The type of the items (`dmoName`), such as `ssot__GoodsProduct__dlm`.
    public var itemType: String?
    /// Header text and the like, and the values of fixed content.
    public var attributes: DecisionFields
    /// Recommended items, or the values of fixed content.
    public var items: [DecisionItem]
    public var diagnostics: [DecisionDiagnostic]
    /// The element of the reply with all of its keys; empty for default content.
    public var members: [String: JSONValue]

    public init(
        point: String, personalizationID: String? = nil, pointID: String? = nil, decisionID: String? = nil,
        requestID: String? = nil, individualID: String? = nil, dataSpace: String? = nil, itemType: String? = nil,
        attributes: DecisionFields = DecisionFields(), items: [DecisionItem] = [],
        diagnostics: [DecisionDiagnostic] = [], members: [String: JSONValue] = [:]
    ) {
        self.point = point
        self.personalizationID = personalizationID
        self.pointID = pointID
        self.decisionID = decisionID
        self.requestID = requestID
        self.individualID = individualID
        self.dataSpace = dataSpace
        self.itemType = itemType
        self.attributes = attributes
        self.items = items
        self.diagnostics = diagnostics
        self.members = members
    }

    /// Whether it is the app's own content, because there is no decision.
    public var isDefault: Bool { personalizationID == nil }

    /// The content id for engagement with the decision as a whole: that of its only item, else its own id.
    public var contentID: String? { items.count == 1 ? items[0].contentID : personalizationID }

    /// Decodes all items as a type of the app, see ``DecisionFields/decode(_:)``. One that does not fit fails the call.
    public func decodeItems<Value: Decodable>(_ type: Value.Type = Value.self) throws -> [Value] {
        try items.enumerated().map { index, item in
            try FieldDecoder.decode(type, from: .object(item.fields.members), at: [ItemIndex(intValue: index)])
        }
    }

    private struct ItemIndex: CodingKey {
        let index: Int

        init(intValue: Int) { index = intValue }

        init?(stringValue: String) { nil }

        var intValue: Int? { index }
        var stringValue: String { String(index) }
    }
}

/// An item of a decision.
public struct DecisionItem: Hashable, Sendable {
    /// What impressions and clicks must carry; nil in default content. Where the service sends none, it is the decision's
    /// own id for a single item, and that with `:` and the item's index among several.
    public var contentID: String?
    public var fields: DecisionFields

    public init(contentID: String? = nil, fields: DecisionFields) {
        self.contentID = contentID
        self.fields = fields
    }

    /// A field as text, see ``DecisionFields/subscript(_:)``.
    public subscript(name: String) -> String? { fields[name] }

    /// Decodes the fields as a type of the app, see ``DecisionFields/decode(_:)``.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value { try fields.decode(type) }
}
