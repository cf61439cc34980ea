/// What a value of the payload's key `type` stands for (docs/reference/selective-sync.md 9, rule 12).
public struct HintType: Hashable, Sendable {
    /// What there is to fetch.
    public enum Content: Hashable, Sendable {
        case nothing
        /// One id as a string under `key`.
        case one(object: String, key: String)
        /// Ids as an array of strings under `key`.
        case many(object: String, key: String)

        /// API name of the object whose records are named.
        public var object: String? {
            switch self {
            case .nothing: nil
            case .one(let object, _), .many(let object, _): object
            }
        }
    }

    /// As on the wire; compared exactly.
    public var name: String
    public var content: Content
    /// The key whose string lists what changed; nil where the type has none.
    public var changedFieldsKey: String?
    /// Labels that the sender uses in place of field names; a token that is not here is a field name already.
    public var fieldNames: [String: String]
    /// The fields of the object that the app keeps, for whoever fetches the records; not what one push may choose from.
    public var fields: [String]

    public init(
        _ name: String, content: Content, changedFieldsKey: String? = nil, fieldNames: [String: String] = [:],
        fields: [String] = []
    ) {
        self.name = name
        self.content = content
        self.changedFieldsKey = changedFieldsKey
        self.fieldNames = fieldNames
        self.fields = fields
    }

    public static let accountUpdate = HintType(
        "ACCOUNT_UPDATE", content: .one(object: "Account", key: "accountId"), changedFieldsKey: "changedFields",
        fieldNames: ["Owner": "OwnerId"])
    public static let interaction = HintType("INTERACTION", content: .many(object: "Interaction", key: "recordIds"))
    /// The visible push of a set-up check.
    public static let test = HintType("TEST", content: .nothing)
}
