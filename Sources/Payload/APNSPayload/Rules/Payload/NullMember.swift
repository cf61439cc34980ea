import APNSModel
import PayloadJSON

extension Rule {
    public static let nullMember = Rule(
        id: "null-member", severity: .warning, layer: .device, looksAt: .nullMember,
        summary: "No key in `aps`, `alert` or `sound` is null.",
        rationale: """
            A device treats null as absent, and some versions of the system are reported to drop the push. Leave the \
            key out. Null is allowed for the old key `action-loc-key`, where it removes the button, and in the app's \
            own keys.
            """,
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"alert":"Hi"},"order":null}"#, .alert),
            Example(#"{"aps":{"alert":{"body":"Hi","action-loc-key":null}}}"#),
            Example(#"{"aps":{"timestamp":1767225600,"event":"update","content-state":{"gate":null}}}"#, .liveactivity),
            Example(#"{"aps":{"alert":null}}"#, .voip),
        ],
        fails: [
            Example(#"{"aps":{"alert":"Hi","badge":null}}"#, .alert, fixed: #"{"aps":{"alert":"Hi"}}"#),
            Example(#"{"aps":{"badge":null, "alert":"Hi"}}"#, fixed: #"{"aps":{"alert":"Hi"}}"#),
            Example(#"{"aps":{"alert":{"title":null,"body":"Hi"}}}"#, fixed: #"{"aps":{"alert":{"body":"Hi"}}}"#),
            Example(
                #"{"aps":{"alert":"Hi","sound":{"critical":1,"name":null}}}"#,
                fixed: #"{"aps":{"alert":"Hi","sound":{"critical":1}}}"#),
            Example(#"{"aps":null}"#, fixed: "{}"),
            // Without the null, readers that use the last value would use another one.
            Example(#"{"aps":{"alert":"Hi","badge":1,"badge":null}}"#), Example(#"{"aps":{"alert":"Hi"},"aps":null}"#),
        ]
    ) { notification, findings in
        guard notification.consumer != .app else { return }
        if let aps = notification.written(.aps), notification[.aps] == nil {
            notification.reportNull(aps, in: .root, &findings)
        }
        let objects = [notification.aps, notification[.alert], notification[.sound]]
        for case .some(let object) in objects {
            for member in notification.document.members(of: object)
            where notification.document.kind(of: member.value) == .null
                && !notification.document.isString(member.key, "action-loc-key")
            {
                notification.reportNull(member.value, in: object, &findings)
            }
        }
    }
}

extension InspectedNotification {
    fileprivate func reportNull(_ value: JSONIndex, in object: JSONIndex, _ findings: inout Findings) {
        let name = document.string(of: document.key(of: value)) ?? ""
        let isOnlyOne =
            !has(.repeatedKey) || document.members(of: object).count { document.string(of: $0.key) == name } == 1
        findings.report(
            "\(TerminalText.safe(name)) is null; leave the key out", at: place(ofKeyOf: value),
            fix: isOnlyOne ? Fix("leave out the key", [removal(of: value, from: object)]) : nil)
    }
}
