import APNSModel

extension Rule {
    public static let contractSize = Rule(
        id: "contract-size", severity: .error, layer: .device, looksAt: [],
        summary: "A payload has no more bytes than its contract allows.",
        rationale: "A limit below that of APNs leaves room for what is added later. Bytes are counted as sent.",
        source: RuleSource.contracts,
        passes: [.orderWithID()],
        fails: [.orderWithID("", aps: #"{"alert":""# + String(repeating: "x", count: 500) + #""}"#)], check: noContract)
}
