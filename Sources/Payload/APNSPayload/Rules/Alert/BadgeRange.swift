import APNSModel
import PayloadJSON

extension Rule {
    public static let badgeRange = Rule(
        id: "badge-range", severity: .warning, layer: .device, looksAt: [.badge], reads: [],
        summary: "A `badge` is 0 or more, and no more than a device can count.",
        rationale: "0 takes the badge away and an absent key leaves it as it is. A negative number means nothing.",
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"badge":0}}"#, .alert), Example(#"{"aps":{"badge":99999}}"#),
            Example(#"{"aps":{"badge":-1}}"#, .voip),
        ],
        fails: [
            Example(#"{"aps":{"badge":-1}}"#, .alert), Example(#"{"aps":{"badge":9223372036854775808}}"#),
        ]
    ) { notification, findings in
        guard let badge = notification[.badge], let number = notification.document.number(of: badge),
            !(0...9_007_199_254_740_991 ~= number), notification.fits(badge, .integer), notification.consumer != .app
        else { return }
        findings.report(
            "badge is \(notification.shown(badge)); \(number < 0 ? "it must be 0 or more" : "no device counts that far")",
            at: notification.place(ofValue: badge))
    }
}
