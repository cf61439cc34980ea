import APNSModel

extension Rule {
    public static let contractForbiddenKey = Rule(
        id: "contract-forbidden-key", severity: .error, layer: .device, looksAt: [],
        summary: "A payload has no key that its contract forbids.",
        rationale: """
            A payload travels through a third party in clear and is kept in logs, so a contract names what must not \
            be in it.
            """,
        source: RuleSource.contracts,
        passes: [.orderWithID()],
        fails: [.orderWithID(#""customerName":"A. Person""#)], check: noContract)
}
