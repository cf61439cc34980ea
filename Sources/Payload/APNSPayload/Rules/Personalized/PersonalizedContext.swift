import PayloadJSON

extension Rule {
    public static let personalizedContext = Rule(
        id: "personalized-context", severity: .warning, layer: .device, looksAt: .personalized,
        summary:
            "The `context` of a personalized push is an object of text, numbers, true and false, without the person.",
        rationale: """
            The app hands the keys that it lists to the decision service, and ignores arrays and objects. Who the \
            person is (`individualId`, `profileId`, `unifiedIndividualId`, `dataspace`) the app knows itself: it does \
            not take that from a push.
            """,
        source: RuleSource.personalizedContract,
        passes: [
            Example(
                #"{"aps":{"alert":"New"},"type":"PERSONALIZED","personalization":"#
                    + #"{"context":{"category":"Kettles","anchorId":"7300215","rank":1,"isNew":true}}}"#),
            Example(#"{"aps":{"alert":"New"},"type":"PERSONALIZED","personalization":{"context":{}}}"#),
        ],
        fails: [
            Example(#"{"aps":{"alert":"New"},"type":"PERSONALIZED","personalization":{"context":["Kettles"]}}"#),
            Example(#"{"aps":{"alert":"New"},"type":"PERSONALIZED","personalization":{"context":{"a":{"b":1}}}}"#),
            Example(#"{"aps":{"alert":"New"},"type":"PERSONALIZED","personalization":{"context":{"a":[1]}}}"#),
            Example(#"{"aps":{"alert":"New"},"type":"PERSONALIZED","personalization":{"context":{"a key":1}}}"#),
            Example(
                #"{"aps":{"alert":"New"},"type":"PERSONALIZED","personalization":{"context":{"individualId":"5e1d"}}}"#),
        ]
    ) { notification, findings in
        guard let context = notification.personalized("context") else { return }
        guard notification.document.isObject(context) else {
            return findings.report(
                "context is \(notification.described(context)); it must be an object",
                at: notification.place(ofValue: context))
        }
        for member in notification.document.members(of: context) {
            let name = notification.document.string(of: member.key) ?? ""
            if PersonalizedText.identityKeys.contains(name) {
                findings.report(
                    "\(name) says who the person is, which the app does not take from a push; remove it",
                    at: notification.place(ofKeyOf: member.value))
            } else if !PersonalizedText.isName(name) {
                findings.report(
                    "the context key \(notification.shown(member.key)) must have 1 to "
                        + "\(PersonalizedText.maximumNameLength) letters, digits, _, - and .",
                    at: notification.place(ofKeyOf: member.value))
            }
            switch notification.document.kind(of: member.value) {
            case .array, .object:
                findings.report(
                    "\(notification.shown(member.key)) is \(notification.described(member.value)); the app takes only "
                        + "text, numbers, true and false", at: notification.place(ofValue: member.value))
            default: break
            }
        }
    }
}
