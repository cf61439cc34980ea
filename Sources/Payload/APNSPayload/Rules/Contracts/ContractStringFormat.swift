import APNSModel

extension Rule {
    public static let contractStringFormat = Rule(
        id: "contract-format", severity: .error, layer: .device, looksAt: [],
        summary: "A custom string has the format that its contract names.",
        rationale: """
            The format is, for example, a UUID, a date, a URL, a record id, one of several words, or a pattern. The \
            whole string must match.
            """,
        source: RuleSource.contracts,
        passes: [.orderWithID()],
        fails: [.order(#""orderId":"7""#), .order(#""orderId":"9d1f3c2a5b6e4f708a91b2c3d4e5f607""#)], check: noContract)
}
