import PayloadJSON

/// The checks of some rules, in their order, with tables that say which checks look at which key, fact and push type.
/// So only the checks that look at something in a payload run, however many rules there are.
///
/// A class: as a struct, its arrays were retained and released for every payload, which took longer than the checks.
final class CheckTable: Sendable {
    private struct Entry: Sendable {
        let rule: Int
        let reads: KeySet
        let check: Rule.Check
    }

    private let entries: [Entry]
    /// The number of words for each key, with one bit for each entry.
    private let wordCount: Int
    private let byKey: [UInt64]
    private let byFact: [UInt64]
    private let byPushType: [UInt64]

    var isEmpty: Bool { entries.isEmpty }

    /// - Parameter prunes: Whether a check runs only for payloads that have something of `looksAt`.
    init(_ rules: [(offset: Int, element: Rule)], prunes: Bool) {
        let wordCount = (rules.count + 63) / 64
        func table(_ bits: Int, _ isSet: (Rule, UInt64) -> Bool) -> [UInt64] {
            var words = [UInt64](repeating: 0, count: bits * wordCount)
            for bit in 0..<bits {
                for (position, rule) in rules.enumerated() where isSet(rule.element, 1 << UInt64(bit)) {
                    words[bit * wordCount + position / 64] |= 1 << UInt64(position % 64)
                }
            }
            return words
        }
        let looksAt = { (rule: Rule) in prunes ? rule.looksAt : .everything }
        entries = rules.map { Entry(rule: $0.offset, reads: $0.element.reads, check: $0.element.check) }
        self.wordCount = wordCount
        byKey = table(64) { looksAt($0).keys & $1 != 0 }
        byFact = table(32) { UInt64(looksAt($0).facts.rawValue) & $1 != 0 }
        byPushType = table(16) { UInt64($0.pushTypes.rawValue) & $1 != 0 }
    }

    /// Runs the checks that look at something in the notification.
    ///
    /// - Parameter report: Receives the entries of one rule, and returns whether to stop.
    /// - Returns: Whether it was stopped.
    func run(
        on notification: borrowing InspectedNotification, into reported: inout Findings,
        report: (_ rule: Int, [Findings.Entry]) -> Bool
    ) -> Bool {
        for word in 0..<wordCount {
            var positions = self.positions(word, of: notification)
            while positions != 0 {
                let outcome = check(word * 64 + positions.trailingZeroBitCount, notification, &reported, report)
                if outcome == .stopped { return true }
                positions &= positions - 1
            }
        }
        return false
    }

    /// Runs the checks, except those that found nothing in an earlier payload of the same forms and so would find
    /// nothing.
    ///
    /// - Parameter cache: A cache for this table and the headers of the notification.
    func run(
        on notification: borrowing InspectedNotification, using cache: inout CheckCache,
        into reported: inout Findings, report: (_ rule: Int, [Findings.Entry]) -> Bool
    ) -> Bool {
        guard !notification.forms.hasOther else { return run(on: notification, into: &reported, report: report) }
        guard let slot = cache.slot(of: notification.keys, notification.forms) else {
            return runAndCache(on: notification, into: &cache, &reported, report)
        }
        for word in 0..<wordCount {
            var positions = cache.positions(slot, word)
            while positions != 0 {
                let outcome = check(word * 64 + positions.trailingZeroBitCount, notification, &reported, report)
                if outcome == .stopped { return true }
                positions &= positions - 1
            }
        }
        return false
    }

    @inline(never)
    private func runAndCache(
        on notification: borrowing InspectedNotification, into cache: inout CheckCache,
        _ reported: inout Findings, _ report: (_ rule: Int, [Findings.Entry]) -> Bool
    ) -> Bool {
        var open = [UInt64](repeating: 0, count: wordCount)
        for word in 0..<wordCount {
            var positions = self.positions(word, of: notification)
            while positions != 0 {
                let position = word * 64 + positions.trailingZeroBitCount
                let outcome = check(position, notification, &reported, report)
                if outcome == .stopped { return true }
                if outcome == .found || notification.has(entries[position].reads) {
                    open[word] |= 1 << UInt64(position % 64)
                }
                positions &= positions - 1
            }
        }
        cache.insert(open, for: notification.keys, notification.forms)
        return false
    }

    private enum Outcome { case nothing, found, stopped }

    @inline(__always)
    private func check(
        _ position: Int, _ notification: borrowing InspectedNotification, _ reported: inout Findings,
        _ report: (_ rule: Int, [Findings.Entry]) -> Bool
    ) -> Outcome {
        entries[position].check(notification, &reported)
        guard !reported.entries.isEmpty else { return .nothing }
        defer { reported.removeAll() }
        return report(entries[position].rule, reported.entries) ? .stopped : .found
    }

    /// Whether no check reports anything.
    func findsNothing(in notification: borrowing InspectedNotification, into reported: inout Findings) -> Bool {
        !run(on: notification, into: &reported) { _, _ in true }
    }

    /// One word of bits: the entries that look at something in the notification.
    @inline(__always)
    private func positions(_ word: Int, of notification: borrowing InspectedNotification) -> UInt64 {
        var positions: UInt64 = 0
        var keys = notification.keys.keys
        while keys != 0 {
            positions |= byKey[keys.trailingZeroBitCount * wordCount + word]
            keys &= keys - 1
        }
        var facts = notification.keys.facts.rawValue
        while facts != 0 {
            positions |= byFact[facts.trailingZeroBitCount * wordCount + word]
            facts &= facts - 1
        }
        return positions & byPushType[notification.pushTypes.rawValue.trailingZeroBitCount * wordCount + word]
    }
}
