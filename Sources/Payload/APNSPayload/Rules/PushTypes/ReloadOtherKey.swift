import APNSModel
import PayloadJSON

extension Rule {
    public static let reloadOtherKey = Rule(
        id: "reload-other-key", severity: .note, layer: .device, looksAt: notificationKeys, reads: [],
        summary: "The `aps` of a controls or widgets push contains `content-changed` only.",
        rationale: """
            Such a push reloads controls or widgets and shows nothing itself. To inform the user as well, send an \
            alert push.
            """,
        source: RuleSource.controls,
        passes: [
            Example(#"{"aps":{"content-changed":true}}"#, .widgets), Example(#"{"aps":{"alert":"Hi"}}"#, .alert),
        ],
        fails: [
            Example(#"{"aps":{"content-changed":true,"alert":"Hi","badge":1}}"#, .widgets),
            Example(#"{"aps":{"content-changed":true,"content-available":1}}"#, .controls),
        ]
    ) { notification, findings in
        guard notification.consumer == .reload else { return }
        notification.reportSuperfluous(
            notificationKeys, "a \(notification.impliedPushType ?? .widgets) push", &findings)
    }

    private static let notificationKeys = KeySet(
        of: PayloadKey.all(in: .aps).filter {
            !$0.pushTypes.isDisjoint(with: [.alert, .background]) && $0.key != .urlArgs
        })
}
