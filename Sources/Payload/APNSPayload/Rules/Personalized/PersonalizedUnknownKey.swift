import PayloadJSON

extension Rule {
    public static let personalizedUnknownKey = Rule(
        id: "personalized-unknown-key", severity: .warning, layer: .device, looksAt: .personalized,
        summary: "The object `personalization` has the keys `points`, `context` and `link` and no others.",
        rationale: """
            The app ignores other keys, so a typing error looks like a push without points. Data of the app is beside \
            `personalization`, in the root of the payload.
            """,
        source: RuleSource.personalizedContract,
        passes: [
            Example(
                #"{"aps":{"alert":"New"},"type":"PERSONALIZED","personalization":{"points":["home_hero"]},"campaign":"spring"}"#
            )
        ],
        fails: [
            Example(#"{"aps":{"alert":"New"},"type":"PERSONALIZED","personalization":{"point":["home_hero"]}}"#),
            Example(#"{"aps":{"alert":"New"},"type":"PERSONALIZED","personalization":{"campaign":"spring"}}"#),
        ]
    ) { notification, findings in
        guard let object = notification.personalization, notification.document.isObject(object) else { return }
        for member in notification.document.members(of: object) {
            let isKnown =
                notification.document.isString(member.key, "points")
                || notification.document.isString(member.key, "context")
                || notification.document.isString(member.key, "link")
            guard !isKnown, let name = notification.document.string(of: member.key) else { continue }
            let folded = KnownSpelling.fold(name)
            let meant = ["points", "context", "link"].first {
                KnownSpelling.distance(folded, KnownSpelling.fold($0), atMost: 2) != nil
            }
            findings.report(
                "\(notification.shown(member.key)) is not a key of personalization"
                    + (meant.map { "; did you mean \($0)?" } ?? "; move it to the root of the payload"),
                at: notification.place(ofKeyOf: member.value))
        }
    }
}
