import APNSModel
import PayloadJSON

extension Rule {
    public static let backgroundContentAvailable = Rule(
        id: "background-content-available", severity: .error, layer: .device, pushTypes: .background, reads: [],
        summary: "The `aps` of a background push has `content-available` 1.",
        rationale: "Only this key wakes the app. Without it the push arrives and nothing happens.",
        source: RuleSource.backgroundUpdates,
        passes: [
            Example(#"{"aps":{"content-available":1}}"#, .background, priority: 5),
            Example(#"{"aps":{"content-available":true}}"#, .background, priority: 5),
            Example(#"{"aps":{}}"#, .location), Example("{}"),
        ],
        fails: [
            Example(#"{"aps":{}}"#, .background, priority: 5), Example("{}", .background, priority: 5),
            Example(#"{"aps":{"content-available":0}}"#, .background, priority: 5),
            Example(
                #"{"aps":{"content-available":"1"}}"#, .background, priority: 5,
                fixed: #"{"aps":{"content-available":1}}"#),
            Example(#"{"aps":{"content-available":null}}"#, .background, priority: 5),
            Example(#"{"aps":{"contentAvailable":1}}"#, .background, priority: 5),
        ]
    ) { notification, findings in
        switch notification.contentAvailable {
        case .one, .likeOne: return
        case .absent:
            findings.report(
                "aps has no content-available; a background push needs content-available 1",
                at: notification.place(ofMissingIn: notification.aps ?? .root), missing: "content-available")
        case .null(let value), .other(let value):
            findings.report(
                "content-available is \(notification.shown(value)); a background push needs the number 1",
                at: notification.place(ofValue: value), fix: notification.fixOfQuotedOne(value))
        }
    }
}
