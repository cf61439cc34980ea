import APNSModel
import PayloadJSON

extension Rule {
    public static let fileProviderContainer = Rule(
        id: "fileprovider-container", severity: .error, layer: .device, pushTypes: [.fileprovider, .absent], reads: [],
        summary: "A File Provider push names the container that changed.",
        rationale: """
            `container-identifier` is in the root of the payload, not in `aps`. It is the id of an item, or the \
            constant for the root or the working set. Without it the system does not know what changed.
            """,
        source: RuleSource.fileProvider,
        passes: [
            Example(#"{"container-identifier":"item-7","domain":"work"}"#, .fileprovider),
            Example(#"{"container-identifier":"NSFileProviderRootContainerItemIdentifier"}"#, .fileprovider),
            Example(#"{"domain":"work"}"#),
        ],
        fails: [
            Example(#"{"domain":"work"}"#, .fileprovider), Example(#"{"container-identifier":7}"#, .fileprovider),
            Example(#"{"container-identifier":""}"#, .fileprovider),
            Example(#"{"aps":{"container-identifier":"item-7"}}"#, .fileprovider),
            Example("{}", topic: "com.example.agent.pushkit.fileprovider"),
        ]
    ) { notification, findings in
        guard notification.impliedPushType == .fileprovider, !notification.has(.rootOfOtherKind) else { return }
        notification.checkText(.containerIdentifier, "so the system does not know what changed", &findings)
    }
}
