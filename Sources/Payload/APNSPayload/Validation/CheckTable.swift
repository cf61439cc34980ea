import PayloadJSON

/// The checks of some rules, in their order, and for every key, fact and push type those of them that look at it. So a
/// payload costs the checks that it gives something to look at, however many rules there are.
///
/// An object, because to count the references to all its arrays for every payload cost more than the checks.
final class CheckTable: Sendable {
    private struct Entry: Sendable {
        let rule: Int
        let reads: KeySet
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
            var positions = self.positions(word, of: notification)
            while positions != 0 {
                let outcome = check(word * 64 + positions.trailingZeroBitCount, notification, &reported, report)
                if outcome == .stopped { return true }
                positions &= positions - 1
            }
        }
        return false
    }

    /// The same without the checks that found nothing in a payload of the same forms, and so have nothing to find.
    ///
    /// - Parameter cache: One for this table and the headers of the notification.
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

    /// Whether no check has anything to report.
    func findsNothing(in notification: borrowing InspectedNotification, into reported: inout Findings) -> Bool {
        !run(on: notification, into: &reported) { _, _ in true }
    }

    /// The entries of one word that look at something of the notification, as bits.
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
