import APNSModel
import PayloadJSON

extension Rule {
    public static let liveActivityFlatLocKey = Rule(
        id: "liveactivity-flat-loc-key", severity: .warning, layer: .device, looksAt: flatKeys, reads: [],
        summary: "In the alert of a Live Activity, localized texts are objects in `title` and `body`.",
        rationale: """
            In a Live Activity `title` and `body` are strings, or objects with `loc-key` and `loc-args`. The keys \
            `title-loc-key` and `loc-key` in `alert` itself are for notifications only.
            """,
        source: RuleSource.liveActivities,
        passes: [
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"update","content-state":{},"alert":{"title":{"loc-key":"T"},"#
                    + #""body":{"loc-key":"B","loc-args":["A"]}}}}"#, .liveactivity),
            Example(#"{"aps":{"alert":{"title-loc-key":"T","loc-key":"B"}}}"#, .alert),
        ],
        fails: [
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"update","content-state":{},"#
                    + #""alert":{"title-loc-key":"T","loc-key":"B","loc-args":["A"]}}}"#, .liveactivity)
        ]
    ) { notification, findings in
        guard notification.consumer == .liveActivity else { return }
        let flat = notification.keys.common(with: flatKeys).filter { notification[$0] != nil }
        guard let first = flat.first.flatMap({ notification[$0] }) else { return }
        findings.report(
            "alert has \(flat.map(\.name).listed()); in a Live Activity title and body are objects with loc-key and loc-args",
            at: notification.place(ofKeyOf: first))
    }

    private static let flatKeys: KeySet = [
        .alertTitleLocKey, .alertTitleLocArgs, .alertSubtitleLocKey, .alertSubtitleLocArgs, .alertLocKey, .alertLocArgs,
    ]
}
