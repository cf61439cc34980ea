/// Ways in which a payload can break a contract. Each has a rule of its own.
struct ContractAspect: OptionSet, Hashable, Sendable {
    let rawValue: UInt16

    static let missingKey = ContractAspect(rawValue: 1 << 0)
    /// A value of the wrong kind.
    static let keyType = ContractAspect(rawValue: 1 << 1)
    /// A string of the wrong form.
    static let format = ContractAspect(rawValue: 1 << 2)
    /// Too much, too little, too long, too short, too many, too few.
    static let range = ContractAspect(rawValue: 1 << 3)
    static let unknownKey = ContractAspect(rawValue: 1 << 4)
    static let forbiddenKey = ContractAspect(rawValue: 1 << 5)
    static let visibility = ContractAspect(rawValue: 1 << 6)
    /// A record id of the right form whose suffix does not fit the rest of it.
    static let suffix = ContractAspect(rawValue: 1 << 9)
    static let size = ContractAspect(rawValue: 1 << 7)
    /// The value that tells kinds of payloads apart is nearly that of the contract.
    static let match = ContractAspect(rawValue: 1 << 8)

    /// What the rules about contracts look at, by their ids.
    static let ofRule: [String: ContractAspect] = [
        "contract-missing-key": .missingKey, "contract-key-type": .keyType, "contract-format": [.format, .suffix],
        "contract-range": .range, "contract-unknown-key": .unknownKey, "contract-forbidden-key": .forbiddenKey,
        "contract-visibility": .visibility, "contract-size": .size, "contract-match": .match,
    ]
}
