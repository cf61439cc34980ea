import APNSModel
import PayloadJSON

extension Rule {
    public static let interruptionLevelValue = Rule(
        id: "interruption-level-value", severity: .warning, layer: .device, looksAt: [.interruptionLevel],
        summary: "An `interruption-level` is passive, active, time-sensitive or critical.",
        rationale: """
            What a device does with another word is not documented; most likely it takes it for active, so that an urgent \
            notification waits in a Focus or a quiet one disturbs.
            """,
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"alert":"Hi","interruption-level":"passive"}}"#),
            Example(#"{"aps":{"alert":"Hi","interruption-level":"time-sensitive"}}"#, .alert),
            Example(#"{"aps":{"alert":"Hi","interruption-level":2}}"#),
        ],
        fails: [
            Example(#"{"aps":{"alert":"Hi","interruption-level":"timeSensitive"}}"#, .alert),
            Example(#"{"aps":{"alert":"Hi","interruption-level":"high"}}"#),
            Example(#"{"aps":{"alert":"Hi","interruption-level":"Critical"}}"#),
        ]
    ) { notification, findings in
        guard let level = notification[.interruptionLevel], notification.document.kind(of: level) == .string,
            notification.reader == .notifications
        else { return }
        notification.reportWord(
            level, of: .interruptionLevel, or: "which a device most likely takes for active", &findings)
    }
}

extension InspectedNotification {
    /// Reports a string that is none of the words the table has for the key, and the one that was meant.
    ///
    /// - Parameter effect: What comes of it.
    func reportWord(_ value: JSONIndex, of key: KnownKey, or effect: String, _ findings: inout Findings) {
        guard document.kind(of: value) == .string, !PayloadKey.isWord(value, of: key, in: document) else { return }
        let words = key.row.values
        guard let text = document.string(of: value) else { return }
        let folded = KnownSpelling.fold(text)
        let near = words.compactMap { word in
            KnownSpelling.distance(folded, KnownSpelling.fold(word), atMost: 2).map { (word, $0) }
        }
        let meant = near.min { $0.1 < $1.1 }.map { "; did you mean \($0.0)?" } ?? "; it must be \(words.listed("or"))"
        findings.report("\(key.name) is \(shown(value)), \(effect)\(meant)", at: place(ofValue: value))
    }
}

extension PayloadKey {
    /// Whether a string is one of the words that the table has for a key.
    fileprivate static func isWord(_ value: JSONIndex, of key: KnownKey, in document: borrowing JSONDocument) -> Bool {
        document.find(value, in: wordTables[Int(key.rawValue)]) != nil
    }

    private static let wordTables = all.map { row in JSONKeyTable(row.values.map { (name: $0, id: 0) }) }
}
