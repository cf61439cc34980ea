import APNSModel

extension Rule {
    public static let backgroundOtherKey = Rule(
        id: "background-other-key", severity: .note, layer: .style, looksAt: displayKeys, pushTypes: .background,
        reads: [],
        summary: "The `aps` of a background push contains `content-available` only.",
        rationale: """
            Keys that control how a notification is shown have no effect in a push that shows none. Data for the app \
            belongs beside `aps`.
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
