/// The meaning of one value of the payload's key `type` (docs/reference/selective-sync.md 9, rule 12).
public struct HintType: Hashable, Sendable {
    /// Where the payload names records.
    public enum Content: Hashable, Sendable {
        case nothing
        /// One id as a string under `key`.
        case one(object: String, key: String)
        /// Ids as an array of strings under `key`.
        case many(object: String, key: String)

        /// API name of the object; nil for `nothing`.
        public var object: String? {
            switch self {
            case .nothing: nil
            case .one(let object, _), .many(let object, _): object
            }
        }
    }

    /// The value of `type`, compared exactly.
    public var name: String
    public var content: Content
    /// The key whose string lists the changed fields; nil if the type has none.
    public var changedFieldsKey: String?
    /// Field names for the labels that the sender uses instead. Any other token is a field name.
    public var fieldNames: [String: String]
    /// The fields that the app stores, for the code that fetches the records. They do not restrict `changedFields`.
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
    /// A visible push to test the set-up.
    public static let test = HintType("TEST", content: .nothing)
}
