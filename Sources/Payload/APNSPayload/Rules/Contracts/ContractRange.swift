import APNSModel

extension Rule {
    public static let contractRange = Rule(
        id: "contract-range", severity: .error, layer: .device, looksAt: [],
        summary: "Numbers, string lengths and element counts are in the ranges that the contract names.",
        rationale: "The length of a string is counted in characters (Unicode scalars). Both limits are included.",
        source: RuleSource.contracts,
        passes: [.orderWithID(#""total":0,"code":"ABCD-123""#)],
        fails: [.orderWithID(#""total":-1"#), .orderWithID(#""code":"ABCDE-1234""#), .orderWithID(#""code":"""#)],
        check: noContract)
}
