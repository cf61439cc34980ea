import APNSModel

extension Rule {
    public static let contractMissingKey = Rule(
        id: "contract-missing-key", severity: .error, layer: .device, looksAt: [],
        summary: "A payload has every key that its contract requires.",
        rationale: """
            The app expects these keys and does nothing, or the wrong thing, without one of them. A null counts as \
            present, with the wrong type.
            """,
        source: RuleSource.contracts,
        passes: [
            .orderWithID(),
            Example(#"{"aps":{"alert":"Hi"},"type":"ORDER_LATE"}"#, .alert, contracts: [.example]),
            Example(#"{"aps":{"alert":"Hi"}}"#),
        ],
        fails: [.order(""), .order(#""orderID":"9d1f3c2a-5b6e-4f70-8a91-b2c3d4e5f607""#)], check: noContract)
}
