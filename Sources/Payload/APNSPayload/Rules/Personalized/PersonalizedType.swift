import PayloadJSON

extension Rule {
    public static let personalizedType = Rule(
        id: "personalized-type", severity: .warning, layer: .device, looksAt: .personalization,
        summary: "A push with `personalization` has the `type` PERSONALIZED, in capitals.",
        rationale: """
            The app compares `type` exactly and gives only such a push to personalization. With another type the object \
            is ignored when the user opens the push.
            """,
        source: RuleSource.personalizedContract,
        passes: [
            Example(
                #"{"aps":{"alert":"New"},"type":"PERSONALIZED","personalization":{"points":["home_hero"]}}"#),
            Example(#"{"aps":{"alert":"New"},"type":"ORDER","personalization":{"color":"red"}}"#),
            Example(#"{"aps":{"alert":"New"},"personalization":"none"}"#),
        ],
        fails: [
            Example(#"{"aps":{"alert":"New"},"type":"personalized","personalization":{"points":["home_hero"]}}"#),
            Example(#"{"aps":{"alert":"New"},"personalization":{"link":"https://example.com/"}}"#),
        ]
    ) { notification, findings in
        guard
            let object = notification.document.isObject(.root)
                ? notification.document.member("personalization", of: .root) : nil,
            notification.document.isObject(object)
        else { return }
        // Another app may have an object of this name.
        let isOurs =
            notification.document.member("points", of: object) != nil
            || notification.document.member("context", of: object) != nil
            || notification.document.member("link", of: object) != nil
        guard isOurs else { return }
        guard let type = notification[.type] else {
            return findings.report(
                "there is personalization without a type; add \"type\":\"PERSONALIZED\"",
                at: notification.place(ofKeyOf: object))
        }
        guard !notification.document.isString(type, "PERSONALIZED") else { return }
        findings.report(
            "type is \(notification.described(type)) beside personalization; it must be \"PERSONALIZED\"",
            at: notification.place(ofValue: type))
    }
}
