import APNSModel

extension Rule {
    public static let contractUnknownKey = Rule(
        id: "contract-unknown-key", severity: .error, layer: .device, looksAt: [],
        summary: "A payload has no key in its root that its contract does not name.",
        rationale: """
            Only where the contract allows no other keys. It keeps payloads to ids and type, and finds misspelt \
            keys.
            """,
        source: RuleSource.contracts,
        passes: [
            .orderWithID(),
            Example(#"{"aps":{"alert":"Hi"},"type":"ORDER_LATE","note":1}"#, .alert, contracts: [.example]),
        ],
        fails: [.orderWithID(#""note":"at the back door""#), .orderWithID(#""totals":12.5"#)], check: noContract)
}
