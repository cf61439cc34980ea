/// Collects what the check of one rule reports.
package struct Findings: Sendable {
    /// A finding without its rule.
    struct Entry: Sendable {
        var message: String
        var place: Finding.Place
        var missingKey: String?
        var fix: Fix?
        var correction: String?
    }

    private(set) var entries: [Entry] = []

    /// - Parameters:
    ///   - message: What is there and what is wanted, without full stop.
    ///   - missing: The key that the object at `place` lacks.
    ///   - fix: Only if it is certainly what was meant. The device must read the result like the original, or as the
    ///     rule requires.
    ///   - correction: The right text of the header at `place`, only if it is certainly what was meant.
    package mutating func report(
        _ message: String, at place: Finding.Place, missing: String? = nil, fix: Fix? = nil, correction: String? = nil
    ) {
        entries.append(
            Entry(message: message, place: place, missingKey: missing, fix: fix, correction: correction))
    }

    mutating func removeAll() { entries.removeAll(keepingCapacity: true) }
}
