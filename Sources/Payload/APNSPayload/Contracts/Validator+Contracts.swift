extension Validator {
    /// Checks the app's own payloads as well: those that one of `contracts` is about have to keep it.
    ///
    /// - Parameter rules: Of the rules about contracts only these, with the severity that they have here.
    public init(rules: [Rule] = Rule.all, contracts: [ApplicationContract]) {
        self.init(rules: contracts.isEmpty ? rules : rules.map { $0.checking(contracts) })
    }
}
