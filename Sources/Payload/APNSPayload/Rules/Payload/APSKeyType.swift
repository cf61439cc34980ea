import APNSModel
import PayloadJSON

extension Rule {
    public static let apsKeyType = Rule(
        id: "aps-key-type", severity: .error, layer: .device, looksAt: apsKeys.union(liveActivityKeys), reads: [],
        summary: "Every key of `aps` has a value of the documented type.",
        rationale: """
            The device ignores a value of another type, and sometimes the whole push. A number in quotes is a string, \
            and a `badge` is a whole number. Other rules check the keys whose only value is 1 or true.
            """,
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"alert":"Hi","badge":3,"sound":"default","thread-id":"a","relevance-score":1}}"#, .alert),
            Example(#"{"aps":{"alert":{"title":"Hi"},"sound":{"critical":1},"url-args":["a"]}}"#),
            Example(#"{"aps":{"badge":null}}"#), Example(#"{"aps":{"badge":"3"}}"#, .voip),
            Example(#"{"aps":{"event":7},"a":1}"#, .alert),
        ],
        fails: [
            Example(#"{"aps":{"badge":"3"}}"#, .alert, fixed: #"{"aps":{"badge":3}}"#),
            Example(#"{"aps":{"badge":1.5}}"#), Example(#"{"aps":{"badge":true}}"#), Example(#"{"aps":{"alert":7}}"#),
            Example(#"{"aps":{"alert":["Hi"]}}"#), Example(#"{"aps":{"sound":1}}"#),
            Example(#"{"aps":{"thread-id":4711}}"#), Example(#"{"aps":{"category":["VISIT"]}}"#),
            Example(#"{"aps":{"target-content-id":1}}"#), Example(#"{"aps":{"interruption-level":2}}"#),
            Example(#"{"aps":{"relevance-score":"0.5"}}"#, fixed: #"{"aps":{"relevance-score":0.5}}"#),
            Example(#"{"aps":{"filter-criteria":{}}}"#),
            Example(#"{"aps":{"url-args":["a",2]}}"#), Example(#"{"aps":{"url-args":"a"}}"#),
            Example(
                #"{"aps":{"timestamp":"1767225600","event":"update","content-state":{}}}"#, .liveactivity,
                fixed: #"{"aps":{"timestamp":1767225600,"event":"update","content-state":{}}}"#),
            Example(#"{"aps":{"timestamp":1767225600,"event":1,"content-state":{}}}"#, .liveactivity),
            Example(#"{"aps":{"timestamp":1767225600,"event":"update","content-state":"{}"}}"#),
        ]
    ) { notification, findings in
        let consumer = notification.consumer
        guard consumer != .app else { return }
        let keys = consumer == .liveActivity ? apsKeys.union(liveActivityKeys) : apsKeys
        notification.reportTypes(of: keys, fixesFractions: true, &findings)
    }

    /// The keys that can have several values, without those of Live Activities, which have no meaning elsewhere.
    private static let apsKeys = KeySet(of: rows.filter { $0.pushTypes != .liveactivity })
    private static let liveActivityKeys = KeySet(of: rows.filter { $0.pushTypes == .liveactivity })
    private static let rows = PayloadKey.all(in: .aps).filter { $0.types.isDisjoint(with: [.one, .true]) }
}
