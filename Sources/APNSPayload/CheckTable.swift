/// The checks of some rules, in their order, and for every key, fact and push type those of them that look at it. So a
/// payload costs the checks that it gives something to look at, however many rules there are.
struct CheckTable: Sendable {
    private struct Entry: Sendable {
        let rule: Int
        let check: Rule.Check
    }

    private let entries: [Entry]
    /// One bit for each entry; so many words for a key.
    private let wordCount: Int
    private let byKey: [UInt64]
    private let byFact: [UInt64]
    private let byPushType: [UInt64]

    var isEmpty: Bool { entries.isEmpty }

    /// - Parameter prunes: Whether a check is called only where its rule looks.
    init(_ rules: [(offset: Int, element: Rule)], prunes: Bool) {
        let wordCount = (rules.count + 63) / 64
        func table(_ bits: Int, _ isSet: (Rule, UInt64) -> Bool) -> [UInt64] {
            var words = [UInt64](repeating: 0, count: bits * wordCount)
            for bit in 0..<bits {
                for (place, rule) in rules.enumerated() where isSet(rule.element, 1 << UInt64(bit)) {
                    words[bit * wordCount + place / 64] |= 1 << UInt64(place % 64)
                }
            }
            return words
        }
        let looksAt = { (rule: Rule) in prunes ? rule.looksAt : .everything }
        entries = rules.map { Entry(rule: $0.offset, check: $0.element.check) }
        self.wordCount = wordCount
        byKey = table(64) { looksAt($0).keys & $1 != 0 }
        byFact = table(16) { UInt64(looksAt($0).facts.rawValue) & $1 != 0 }
        byPushType = table(16) { UInt64($0.pushTypes.rawValue) & $1 != 0 }
    }

    /// Runs the checks that have something to look at.
    ///
    /// - Parameter report: Takes what one rule has reported; says whether to stop.
    /// - Returns: Whether it was stopped.
    func run(
        on notification: borrowing InspectedNotification, into reported: inout Findings,
        report: (_ rule: Int, [Findings.Entry]) -> Bool
    ) -> Bool {
        for word in 0..<wordCount {
            var places = self.places(word, of: notification)
            while places != 0 {
                let entry = entries[word * 64 + places.trailingZeroBitCount]
                places &= places - 1
                entry.check(notification, &reported)
                guard !reported.entries.isEmpty else { continue }
                let stops = report(entry.rule, reported.entries)
                reported.removeAll()
                if stops { return true }
            }
        }
        return false
    }

    /// Whether no check has anything to report.
    func findsNothing(in notification: borrowing InspectedNotification, into reported: inout Findings) -> Bool {
        !run(on: notification, into: &reported) { _, _ in true }
    }

    /// The entries of one word that look at something of the notification, as bits.
    @inline(__always)
    private func places(_ word: Int, of notification: borrowing InspectedNotification) -> UInt64 {
        var places: UInt64 = 0
        var keys = notification.keys.keys
        while keys != 0 {
            places |= byKey[keys.trailingZeroBitCount * wordCount + word]
            keys &= keys - 1
        }
        var facts = notification.keys.facts.rawValue
        while facts != 0 {
            places |= byFact[facts.trailingZeroBitCount * wordCount + word]
            facts &= facts - 1
        }
        return places & byPushType[notification.pushTypes.rawValue.trailingZeroBitCount * wordCount + word]
    }
}
