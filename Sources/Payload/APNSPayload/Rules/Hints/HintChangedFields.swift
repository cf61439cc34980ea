import PayloadJSON

extension Rule {
    public static let hintChangedFields = Rule(
        id: "hint-changed-fields", severity: .warning, layer: .device, looksAt: [.type],
        summary: "The `changedFields` of a hint is one string of names, separated by commas.",
        rationale: """
            The app splits the string at its commas and ignores white space, empty names and repeated names. It \
            ignores any other value, such as an array.
            """,
        source: RuleSource.hintContract,
        passes: [
            Example(
                #"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":"001xx000003DGb2AAG","#
                    + #""changedFields":"Name, Owner, Type"}"#),
            Example(#"{"aps":{"alert":"Hi"},"changedFields":["Name"]}"#),
        ],
        fails: [
            Example(
                #"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":"001xx000003DGb2AAG","#
                    + #""changedFields":["Name","Owner"]}"#),
            Example(
                #"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":"001xx000003DGb2AAG","#
                    + #""changedFields":"Name, , Name"}"#),
        ]
    ) { notification, findings in
        guard notification.hintKind == .accountUpdate,
            let value = notification.document.member("changedFields", of: .root)
        else { return }
        guard let text = notification.document.string(of: value) else {
            return findings.report(
                "changedFields is \(notification.document.kind(of: value).inWords); it must be one string such as "
                    + "\"Name, Owner\"", at: notification.place(ofValue: value))
        }
        var seen: Set<String> = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            let name = String(name.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            guard !name.isEmpty, seen.insert(name).inserted else {
                return findings.report(
                    "changedFields has \(name.isEmpty ? "an empty name" : "\(name) twice"); the app ignores it",
                    at: notification.place(ofValue: value))
            }
        }
    }
}
