import APNSModel
import PayloadJSON

extension Rule {
    public static let alertKeyType = Rule(
        id: "alert-key-type", severity: .error, layer: .device, looksAt: alertKeys.union(liveActivityKeys), reads: [],
        summary: "Every key of `alert` has a value of the documented type.",
        rationale: """
            Texts and localization keys are strings, and arguments are arrays of strings. Write a number or a date as \
            the string to show. `title` and `body` can be objects with `loc-key` and `loc-args` in a Live Activity \
            only.
            """,
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"alert":{"title-loc-key":"T","title-loc-args":["Zürich","3"],"body":"Hi"}}}"#),
            Example(#"{"aps":{"alert":{"body":"Hi","action-loc-key":null}}}"#),
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"update","content-state":{},"#
                    + #""alert":{"title":{"loc-key":"T","loc-args":["A"]},"body":"Hi","sound":"chime.aiff"}}}"#,
                .liveactivity),
            Example(#"{"aps":{"alert":{"body":7}}}"#, .pushtotalk),
        ],
        fails: [
            Example(#"{"aps":{"alert":{"title":7}}}"#, .alert), Example(#"{"aps":{"alert":{"body":["Hi"]}}}"#),
            Example(#"{"aps":{"alert":{"title":{"loc-key":"T"}}}}"#, .alert),
            Example(#"{"aps":{"alert":{"loc-key":"B","loc-args":["A",7]}}}"#),
            Example(#"{"aps":{"alert":{"loc-key":"B","loc-args":"A"}}}"#),
            Example(#"{"aps":{"alert":{"title":"Hi","launch-image":true}}}"#),
            Example(
                #"{"aps":{"alert":{"title":"Hi","summary-arg-count":"2"}}}"#,
                fixed: #"{"aps":{"alert":{"title":"Hi","summary-arg-count":2}}}"#),
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"update","content-state":{},"alert":{"title":"#
                    + #"{"loc-key":"T","loc-args":[7]},"body":"Hi"}}}"#, .liveactivity),
        ]
    ) { notification, findings in
        switch notification.consumer {
        case .app: return
        case .liveActivity:
            notification.reportTypes(of: alertKeys.union(liveActivityKeys), in: true, &findings)
        case .notifications, .reload: notification.reportTypes(of: alertKeys, &findings)
        }
    }

    private static let alertKeys = KeySet(of: PayloadKey.all(in: .alert).filter { $0.pushTypes != .liveactivity })
    private static let liveActivityKeys = KeySet(
        of: PayloadKey.all(in: .alert).filter { $0.pushTypes == .liveactivity } + PayloadKey.all(in: .titleText)
            + PayloadKey.all(in: .bodyText))
}
