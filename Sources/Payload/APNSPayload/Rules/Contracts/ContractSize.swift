import APNSModel

extension Rule {
    public static let contractSize = Rule(
        id: "contract-size", severity: .error, layer: .device, looksAt: [],
        summary: "A payload is not larger than its contract allows.",
        rationale: """
            A limit below that of APNs reserves space for later additions. The size is counted in bytes as sent.
            """,
        source: RuleSource.contracts,
        passes: [.orderWithID()],
        fails: [.orderWithID("", aps: #"{"alert":""# + String(repeating: "x", count: 500) + #""}"#)], check: noContract)
}
