import APNSModel

extension Rule {
    public static let contractMatch = Rule(
        id: "contract-match", severity: .warning, layer: .device, looksAt: [],
        summary: "The key that identifies the contract has the exact value that a contract names.",
        rationale: """
            The app compares this value exactly, so it ignores a payload with an unknown value. Only likely mistakes \
            are reported: different case, or one wrong character in a long word.
            """,
        source: RuleSource.contracts,
        passes: [
            .orderWithID(),
            Example(#"{"aps":{"alert":"Hi"},"type":"ORDER_LATE"}"#, .alert, contracts: [.example]),
            Example(#"{"aps":{"alert":"Hi"},"type":7}"#, .alert, contracts: [.example]),
        ],
        fails: [.order("", type: "order-ready"), .order("", type: "ORDER_REDY")], check: noContract)
}
