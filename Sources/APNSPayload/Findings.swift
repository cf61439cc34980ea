/// What the check of one rule reports into.
package struct Findings: Sendable {
    /// A finding before the rule has put its name to it.
    struct Entry: Sendable {
        var message: String
        var place: Finding.Place
    }

    private(set) var entries: [Entry] = []

    /// - Parameter message: What is there and what is wanted, without full stop.
    package mutating func report(_ message: String, at place: Finding.Place) {
        entries.append(Entry(message: message, place: place))
    }

    mutating func removeAll() { entries.removeAll(keepingCapacity: true) }
}
