import APNSModel

extension Rule {
    public static let priorityValue = Rule(
        id: "priority-value", severity: .error, layer: .gateway, refusal: .badPriority, stage: .headers,
        summary: "The priority is 10, 5 or 1.",
        rationale: """
            10 delivers at once, 5 takes the power of the device into account, and 1 puts power first and does not \
            wake the device. APNs answers BadPriority to anything else. Without a priority it uses 10.
            """,
        source: RuleSource.sendingRequests,
        passes: [
            Example("{}", .alert, priority: 10), Example("{}", .alert, priority: 5), Example("{}", .alert, priority: 1),
            Example("{}", .alert),
        ],
        fails: [
            Example("{}", .alert, priority: 7), Example("{}", .alert, priority: "high"),
            Example("{}", .alert, priority: "5.0"), Example("{}", .alert, priority: ""),
        ]
    ) { notification, findings in
        guard let priority = notification.text(of: .priority) else { return }
        guard priority != "10", priority != "5", priority != "1" else { return }
        let meant = priority.wholeNumberDigits.flatMap { ["10", "5", "1"].contains($0) ? $0 : nil }
        findings.report(
            "apns-priority is \(notification.shown(text: priority)); it must be 10, 5 or 1",
            at: .header("apns-priority"), correction: meant)
    }
}
