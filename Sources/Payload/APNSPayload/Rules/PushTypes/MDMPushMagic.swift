import APNSModel
import PayloadJSON

extension Rule {
    public static let mdmPushMagic = Rule(
        id: "mdm-push-magic", severity: .error, layer: .device, pushTypes: [.mdm, .absent], reads: [],
        summary: "An MDM push has the push magic of the device in `mdm`.",
        rationale: """
            The device compares it with the push magic that it sent when it enrolled, and ignores the push if they \
            differ.
            """,
        source: RuleSource.mdm,
        passes: [
            Example(#"{"mdm":"7D0C4F1B-0000-4000-8000-9E2A51C0D3F7"}"#, .mdm), Example("{}"),
            Example(#"{"mdm":7}"#, .alert),
        ],
        fails: [
            Example("{}", .mdm), Example(#"{"mdm":7}"#, .mdm), Example(#"{"mdm":""}"#, .mdm),
            Example(#"{"aps":{"mdm":"7D0C4F1B"}}"#, .mdm),
            Example("{}", topic: "com.apple.mgmt.External.5b7e3c52-0000-4000-8000-5d0b7d2b8a11"),
        ]
    ) { notification, findings in
        guard notification.impliedPushType == .mdm, !notification.has(.rootOfOtherKind) else { return }
        notification.checkText(.mdm, "so the device ignores the push", &findings)
    }
}
