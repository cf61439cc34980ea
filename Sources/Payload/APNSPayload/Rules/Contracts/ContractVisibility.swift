import APNSModel

extension Rule {
    public static let contractVisibility = Rule(
        id: "contract-visibility", severity: .error, layer: .device, looksAt: [],
        summary: "A payload is visible or silent, as its contract requires.",
        rationale: """
            A silent payload has `content-available` 1 and no alert, badge or sound. A visible one has at least one of \
            these three.
            """,
        source: RuleSource.contracts,
        passes: [.orderWithID(), .orderWithID("", aps: #"{"badge":1}"#)],
        fails: [.orderWithID("", aps: #"{"content-available":1}"#)], check: noContract)
}
