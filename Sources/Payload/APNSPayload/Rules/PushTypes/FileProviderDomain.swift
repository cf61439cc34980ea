import APNSModel
import PayloadJSON

extension Rule {
    public static let fileProviderDomain = Rule(
        id: "fileprovider-domain", severity: .error, layer: .device, looksAt: [.domain],
        pushTypes: [.fileprovider, .absent], reads: [],
        summary: "The `domain` of a File Provider push is a string.",
        rationale: "It names the domain of the File Provider that contains the item, and can be left out.",
        source: RuleSource.fileProvider,
        passes: [
            Example(#"{"container-identifier":"item-7","domain":"work"}"#, .fileprovider),
            Example(#"{"container-identifier":"item-7"}"#, .fileprovider), Example(#"{"domain":7}"#),
        ],
        fails: [
            Example(#"{"container-identifier":"item-7","domain":7}"#, .fileprovider),
            Example(#"{"container-identifier":"item-7","domain":["work"]}"#, .fileprovider),
        ]
    ) { notification, findings in
        guard let domain = notification[.domain], notification.document.kind(of: domain) != .string,
            notification.impliedPushType == .fileprovider
        else { return }
        findings.report(
            "domain is \(notification.described(domain)); it must be a string, and the system ignores anything else",
            at: notification.place(ofValue: domain))
    }
}
