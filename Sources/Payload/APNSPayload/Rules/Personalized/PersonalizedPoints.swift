import PayloadJSON

extension Rule {
    public static let personalizedPoints = Rule(
        id: "personalized-points", severity: .warning, layer: .device, looksAt: .personalized,
        summary: "The `points` of a personalized push are an array of different names of personalization points.",
        rationale: """
            The app asks the decision service for these points when the user opens the push. A name has 1 to 80 \
            letters, digits, `_`, `-` and `.`; the app ignores a name that it does not list. Without `points` it \
            fetches its landing point, with an empty array nothing.
            """,
        source: RuleSource.personalizedContract,
        passes: [
            Example(
                #"{"aps":{"alert":"New"},"type":"PERSONALIZED","personalization":{"points":["notification_landing_recs"]}}"#
            ),
            Example(#"{"aps":{"alert":"New"},"type":"PERSONALIZED"}"#),
            Example(#"{"aps":{"alert":"New"},"type":"ORDER","personalization":{"points":7}}"#),
        ],
        fails: [
            Example(#"{"aps":{"alert":"New"},"type":"PERSONALIZED","personalization":"home_hero"}"#),
            Example(#"{"aps":{"alert":"New"},"type":"PERSONALIZED","personalization":{"points":"home_hero"}}"#),
            Example(#"{"aps":{"alert":"New"},"type":"PERSONALIZED","personalization":{"points":[]}}"#),
            Example(#"{"aps":{"alert":"New"},"type":"PERSONALIZED","personalization":{"points":["home hero"]}}"#),
            Example(#"{"aps":{"alert":"New"},"type":"PERSONALIZED","personalization":{"points":[7]}}"#),
            Example(#"{"aps":{"alert":"New"},"type":"PERSONALIZED","personalization":{"points":["a","a"]}}"#),
        ]
    ) { notification, findings in
        guard let object = notification.personalization else { return }
        guard notification.document.isObject(object) else {
            if notification.document.kind(of: object) == .null { return }
            return findings.report(
                "personalization is \(notification.described(object)); it must be an object with points, context and link",
                at: notification.place(ofValue: object))
        }
        guard let points = notification.personalized("points") else { return }
        guard notification.document.kind(of: points) == .array else {
            return findings.report(
                "points is \(notification.described(points)); it must be an array of names",
                at: notification.place(ofValue: points))
        }
        var names: Set<String> = []
        for point in notification.document.elements(of: points) {
            guard let name = notification.document.string(of: point), PersonalizedText.isName(name) else {
                findings.report(
                    "a point is \(notification.described(point)); a name has 1 to "
                        + "\(PersonalizedText.maximumNameLength) letters, digits, _, - and .",
                    at: notification.place(ofValue: point))
                continue
            }
            if !names.insert(name).inserted {
                findings.report("the point \(name) is there twice", at: notification.place(ofValue: point))
            }
        }
        guard notification.document.elements(of: points).first(where: { _ in true }) == nil else { return }
        findings.report(
            "points is empty, so nothing is fetched; name a point, or leave points out for the landing point of the app",
            at: notification.place(ofValue: points))
    }
}
