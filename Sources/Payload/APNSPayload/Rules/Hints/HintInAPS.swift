import PayloadJSON

extension Rule {
    public static let hintInAPS = Rule(
        id: "hint-in-aps", severity: .warning, layer: .device, looksAt: .unknownInAPS,
        summary: "The keys of a hint are beside `aps`, not in it.",
        rationale: "`aps` belongs to the system. The app reads its own keys from the root of the payload.",
        source: RuleSource.hintContract,
        passes: [
            Example(#"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":"001xx000003DGb2AAG"}"#),
            Example(#"{"aps":{"content-available":1,"type":"custom"}}"#),
        ],
        fails: [
            Example(
                #"{"aps":{"content-available":1,"type":"ACCOUNT_UPDATE","accountId":"001xx000003DGb2AAG"}}"#),
            Example(
                #"{"aps":{"content-available":1,"type":"INTERACTION"},"recordIds":["0xIxx0000000001EAA"]}"#),
        ]
    ) { notification, findings in
        guard let aps = notification.aps, let type = notification.document.member("type", of: aps),
            let kind = HintPayload.Kind.allCases.first(where: {
                notification.document.isString(type, equalTo: $0.rawValue)
            })
        else { return }
        findings.report(
            "the type \(kind.rawValue) is in aps, where the app does not look for it; move it and the ids beside aps",
            at: notification.place(ofKeyOf: type))
    }
}
