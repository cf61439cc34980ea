import APNSModel
import PayloadJSON

extension Rule {
    public static let badgeRange = Rule(
        id: "badge-range", severity: .warning, layer: .device, looksAt: [.badge], reads: [],
        summary: "A `badge` is 0 or more, and not more than a device can count.",
        rationale: "0 removes the badge, and without the key it stays as it is. A negative number has no meaning.",
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"badge":0}}"#, .alert), Example(#"{"aps":{"badge":99999}}"#),
            Example(#"{"aps":{"badge":-1}}"#, .voip),
        ],
        fails: [
            Example(#"{"aps":{"badge":-1}}"#, .alert), Example(#"{"aps":{"badge":9223372036854775808}}"#),
        ]
    ) { notification, findings in
        guard let badge = notification[.badge], notification.isNumber(badge, outside: 0...9_007_199_254_740_991),
            notification.fits(badge, .integer), notification.consumer != .app
        else { return }
        let isNegative = notification.document.source(of: badge).hasPrefix("-")
        let limit = isNegative ? "0 or more" : "at most 9007199254740991"
        findings.report(
            "badge is \(notification.shown(badge)); it must be \(limit)", at: notification.place(ofValue: badge))
    }
}
