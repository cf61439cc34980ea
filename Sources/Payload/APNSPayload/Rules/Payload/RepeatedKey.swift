import APNSModel
import PayloadJSON

extension Rule {
    public static let repeatedKey = Rule(
        id: "repeated-key", severity: .warning, layer: .device, looksAt: .repeatedKey,
        summary: "No object contains a key twice.",
        rationale: """
            It is not defined which of two values a reader uses: most use the last, some use the first, and some \
            refuse the JSON text. Your own tests may see another value than the device.
            """,
        source: RuleSource.json,
        passes: [
            Example(#"{"aps":{"badge":1},"badge":1}"#), Example(#"{"a":[{"b":1},{"b":2}]}"#),
        ],
        fails: [
            Example(#"{"aps":{"badge":1,"badge":2}}"#), Example(#"{"aps":{"alert":"Hi"},"aps":{"badge":1}}"#),
            Example(#"{"a":[{"b":1,"\u0062":2}]}"#, .voip),
            Example(#"{"aps":{"badge":1,"badge":1}}"#, fixed: #"{"aps":{"badge":1}}"#),
            Example(#"{"a":{"b":[1, 2] ,"c":0,"b":[1, 2]}}"#, fixed: #"{"a":{"b":[1, 2] ,"c":0}}"#),
        ]
    ) { notification, findings in
        for object in notification.document.objects {
            for key in notification.document.repeatedKeys(of: object) {
                notification.reportRepeated(key, in: object, &findings)
            }
        }
    }
}

extension InspectedNotification {
    fileprivate func reportRepeated(_ key: JSONIndex, in object: JSONIndex, _ findings: inout Findings) {
        guard let name = document.string(of: key) else { return }
        let same = document.members(of: object).filter { document.string(of: $0.key) == name }
        guard let repeated = same.first(where: { $0.key == key }) else { return }
        let values = same.map { document.source(of: $0.value) }
        let areEqual = values.allSatisfy { $0 == values[0] }
        findings.report(
            "\(name.isEmpty ? "the empty key" : TerminalText.safe(name)) is repeated"
                + (areEqual ? " with the same value" : " with another value, and readers differ in which one they use")
                + "; write it once",
            at: place(ofKeyOf: repeated.value),
            fix: areEqual ? Fix("leave out the repeated key", [removal(of: repeated.value, from: object)]) : nil)
    }
}
