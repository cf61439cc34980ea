/// One custom key of an application contract.
public struct ContractKey: Hashable, Sendable {
    /// A custom key, or the JSON pointer (RFC 6901) of a nested key if it begins with a slash: `/order/id`.
    public var name: String
    public var value: ContractValue
    public var isRequired: Bool

    public init(_ name: String, _ value: ContractValue = .any, isRequired: Bool = true) {
        self.name = name
        self.value = value
        self.isRequired = isRequired
    }
}
