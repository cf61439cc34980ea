import APNSModel

extension Rule {
    public static let contractForbiddenKey = Rule(
        id: "contract-forbidden-key", severity: .error, layer: .device, looksAt: [],
        summary: "A payload does not contain a key that its contract forbids.",
        rationale: """
            A payload passes through a third party unencrypted and is kept in logs, so a contract can name keys that \
            must not be in it.
            """,
        source: RuleSource.contracts,
        passes: [.orderWithID()],
        fails: [.orderWithID(#""customerName":"A. Person""#)], check: noContract)
}
