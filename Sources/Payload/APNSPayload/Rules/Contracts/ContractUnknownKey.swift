import APNSModel

extension Rule {
    public static let contractUnknownKey = Rule(
        id: "contract-unknown-key", severity: .error, layer: .device, looksAt: [],
        summary: "The root of a payload contains only keys that its contract names.",
        rationale: """
            This applies only if the contract allows no other keys. It limits payloads to ids and a type, and finds \
            misspelt keys.
            """,
        source: RuleSource.contracts,
        passes: [
            .orderWithID(),
            Example(#"{"aps":{"alert":"Hi"},"type":"ORDER_LATE","note":1}"#, .alert, contracts: [.example]),
        ],
        fails: [.orderWithID(#""note":"at the back door""#), .orderWithID(#""totals":12.5"#)], check: noContract)
}
