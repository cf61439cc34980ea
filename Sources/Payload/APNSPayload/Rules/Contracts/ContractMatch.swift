import APNSModel

extension Rule {
    public static let contractMatch = Rule(
        id: "contract-match", severity: .warning, layer: .device, looksAt: [],
        summary: "The value that tells kinds of payloads apart is spelt as one of the contracts has it.",
        rationale: """
            The app compares it letter for letter, so a payload of a kind that nobody knows is ignored. Only what is \
            surely a mistake is reported: other case, or one character of a long word.
            """,
        source: RuleSource.contracts,
        passes: [
            .orderWithID(),
            Example(#"{"aps":{"alert":"Hi"},"type":"ORDER_LATE"}"#, .alert, contracts: [.example]),
            Example(#"{"aps":{"alert":"Hi"},"type":7}"#, .alert, contracts: [.example]),
        ],
        fails: [.order("", type: "order-ready"), .order("", type: "ORDER_REDY")], check: noContract)
}
