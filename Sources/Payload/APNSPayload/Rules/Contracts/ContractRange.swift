import APNSModel

extension Rule {
    public static let contractRange = Rule(
        id: "contract-range", severity: .error, layer: .device, looksAt: [],
        summary: "Numbers, the length of strings and the number of elements are within what the contract names.",
        rationale: """
            The length of a string is counted in characters (Unicode scalars). Both ends of a range are within it.
            """,
        source: RuleSource.contracts,
        passes: [.orderWithID(#""total":0,"code":"ABCD-123""#)],
        fails: [.orderWithID(#""total":-1"#), .orderWithID(#""code":"ABCDE-1234""#), .orderWithID(#""code":"""#)],
        check: noContract)
}
