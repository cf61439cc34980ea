/// Ways in which a payload can break a contract. Each has a separate rule.
struct ContractAspect: OptionSet, Hashable, Sendable {
    let rawValue: UInt16

    static let missingKey = ContractAspect(rawValue: 1 << 0)
    /// A value of the wrong type.
    static let keyType = ContractAspect(rawValue: 1 << 1)
    /// A string of the wrong format.
    static let format = ContractAspect(rawValue: 1 << 2)
    /// A number, length or count outside of its range.
    static let range = ContractAspect(rawValue: 1 << 3)
    static let unknownKey = ContractAspect(rawValue: 1 << 4)
    static let forbiddenKey = ContractAspect(rawValue: 1 << 5)
    static let visibility = ContractAspect(rawValue: 1 << 6)
    /// A record id whose suffix does not match the rest of it.
    static let suffix = ContractAspect(rawValue: 1 << 9)
    static let size = ContractAspect(rawValue: 1 << 7)
    /// The value that identifies the contract has a typing error.
    static let match = ContractAspect(rawValue: 1 << 8)

    /// The aspects that each rule about contracts checks.
    static let ofRule: [String: ContractAspect] = [
        "contract-missing-key": .missingKey, "contract-key-type": .keyType, "contract-format": [.format, .suffix],
        "contract-range": .range, "contract-unknown-key": .unknownKey, "contract-forbidden-key": .forbiddenKey,
        "contract-visibility": .visibility, "contract-size": .size, "contract-match": .match,
    ]
}
