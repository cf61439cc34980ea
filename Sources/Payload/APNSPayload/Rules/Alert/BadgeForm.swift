import APNSModel
import PayloadJSON

extension Rule {
    public static let badgeForm = Rule(
        id: "badge-form", severity: .warning, layer: .device, looksAt: [.badge], reads: [],
        summary: "A `badge` is written without a fraction or an exponent.",
        rationale: """
            The badge is a count. 3.0 is a whole number, so a device probably shows 3, but this is not documented.
            """,
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"badge":3}}"#, .alert), Example(#"{"aps":{"badge":0}}"#),
            Example(#"{"aps":{"badge":1.5}}"#), Example(#"{"aps":{"badge":3.0}}"#, .voip),
        ],
        fails: [
            Example(#"{"aps":{"badge":3.0}}"#, .alert, fixed: #"{"aps":{"badge":3}}"#),
            Example(#"{"aps":{"badge":1e2}}"#, fixed: #"{"aps":{"badge":100}}"#),
        ]
    ) { notification, findings in
        guard let badge = notification[.badge], notification.document.kind(of: badge) == .fraction,
            let whole = notification.wholeNumber(badge), notification.consumer != .app
        else { return }
        findings.report(
            "badge is \(notification.shown(badge)); write the integer \(whole)", at: notification.place(ofValue: badge),
            fix: Fix("write the integer \(whole)", [Fix.Edit(notification.document.range(of: badge), "\(whole)")]))
    }
}
