import APNSModel

extension Rule {
    public static let contractKeyType = Rule(
        id: "contract-key-type", severity: .error, layer: .device, looksAt: [],
        summary: "A custom key has a value of the type that its contract names.",
        rationale: "An app that decodes the payload into types fails completely if one value has another type.",
        source: RuleSource.contracts,
        passes: [.orderWithID(#""total":12.5,"shop":{"id":7}"#)],
        fails: [
            .orderWithID(#""total":"12.50""#),
            .order(#""orderId":null"#),
            .orderWithID(#""shop":{"id":7.0}"#),
        ], check: noContract)
}
