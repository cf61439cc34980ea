extension Rule {
    /// The check of the rules about contracts if there is no contract.
    static let noContract: Check = { _, _ in }

    /// The rule with these contracts, if it is about contracts; otherwise the rule itself.
    func checking(_ contracts: [ApplicationContract]) -> Rule {
        guard let aspect = ContractAspect.ofRule[id] else { return self }
        return Rule(
            id: id, severity: severity, layer: layer, refusal: refusal, stage: stage,
            looksAt: contracts.map(\.looksAt).reduce([]) { $0.union($1) }, pushTypes: pushTypes,
            summary: summary, rationale: rationale, source: source, passes: passes, fails: fails
        ) { notification, findings in
            guard aspect != .match else {
                return ApplicationContract.checkMatch(contracts, in: notification, &findings)
            }
            for index in contracts.indices { contracts[index].check(aspect, in: notification, &findings) }
        }
    }
}

extension ApplicationContract {
    /// The payloads that the contract can apply to: those with the key that identifies them.
    fileprivate var looksAt: KeySet {
        guard let key = match.key, !key.hasPrefix("/") else { return .everything }
        guard let known = PayloadKey.all(in: .root).first(where: { $0.name == key })?.key else { return .customInRoot }
        return KeySet([known])
    }
}
