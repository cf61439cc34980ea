import APNSModel

extension Rule {
    public static let backgroundOtherKey = Rule(
        id: "background-other-key", severity: .note, layer: .style, looksAt: displayKeys, pushTypes: .background,
        reads: [],
        summary: "The `aps` of a background push has `content-available` only.",
        rationale: """
            Keys that say how a notification is shown have nothing to act on in a push that shows none. Data for the app \
            stands beside `aps`.
            """,
        source: RuleSource.backgroundUpdates,
        passes: [
            Example(#"{"aps":{"content-available":1}}"#, .background, priority: 5),
            Example(#"{"aps":{"content-available":1},"category":"own"}"#, .background, priority: 5),
            Example(#"{"aps":{"alert":"Hi","category":"VISIT"}}"#, .alert),
        ],
        fails: [
            Example(
                #"{"aps":{"content-available":1,"category":"VISIT","thread-id":"a"}}"#, .background, priority: 5)
        ]
    ) { notification, findings in
        notification.reportSuperfluous(displayKeys, "a background push", &findings)
    }

    private static let displayKeys: KeySet = [
        .threadID, .category, .targetContentID, .interruptionLevel, .relevanceScore, .filterCriteria,
    ]
}
