import APNSModel
import PayloadJSON

extension Rule {
    public static let fileProviderContainer = Rule(
        id: "fileprovider-container", severity: .error, layer: .device, pushTypes: [.fileprovider, .absent], reads: [],
        summary: "A File Provider push names the container that changed.",
        rationale: """
            `container-identifier` stands at the top of the payload, not in `aps`: the id of an item, or the constant for the \
            root or the working set. Without it the system does not know what to look at.
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

extension InspectedNotification {
    /// Reports a key of the root that is missing, empty or no string.
    ///
    /// - Parameter effect: What comes of it.
    func checkText(_ key: KnownKey, _ effect: String, _ findings: inout Findings) {
        guard let value = self[key] else {
            let inAPS = aps.flatMap { document.member(named: key.name, of: $0) }
            findings.report(
                inAPS == nil
                    ? "the payload has no \(key.name), \(effect)"
                    : "\(key.name) stands in aps, \(effect); move it to the top of the payload",
                at: inAPS.map { self.place(ofKeyOf: $0) } ?? place(ofMissingIn: .root))
            return
        }
        guard document.kind(of: value) != .string || isEmptyText(value) else { return }
        findings.report(
            "\(key.name) is \(described(value)), \(effect); it must be a string that is not empty",
            at: place(ofValue: value))
    }
}
