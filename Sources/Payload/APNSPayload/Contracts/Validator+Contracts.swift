extension Validator {
    /// A validator that also checks payloads against the contracts that apply to them.
    ///
    /// - Parameter rules: The rules to check, including those about contracts, with their severities.
    public init(rules: [Rule] = Rule.all, contracts: [ApplicationContract]) {
        self.init(rules: contracts.isEmpty ? rules : rules.map { $0.checking(contracts) })
    }
}
