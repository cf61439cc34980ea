/// What the check of one rule reports into.
package struct Findings: Sendable {
    /// A finding before the rule has put its name to it.
    struct Entry: Sendable {
        var message: String
        var place: Finding.Place
        var fix: Fix?
    }

    private(set) var entries: [Entry] = []

    /// - Parameters:
    ///   - message: What is there and what is wanted, without full stop.
    ///   - fix: Only one that is surely what was meant, and that the device reads as it read the text before or as the
    ///     rule asks.
    package mutating func report(_ message: String, at place: Finding.Place, fix: Fix? = nil) {
        entries.append(Entry(message: message, place: place, fix: fix))
    }

    mutating func removeAll() { entries.removeAll(keepingCapacity: true) }
}
