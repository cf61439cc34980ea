/// How much of the input was read.
struct InputPosition: Hashable, Sendable {
    /// Notifications and bad lines.
    var items = 0
    /// The part of the file that they are, from 0 to 1; nil where that is unknown, as for a pipe.
    var part: Double?

    /// How much of the whole input is done, from 0 to 1; nil where that is unknown.
    ///
    /// - Parameter done: How many of the items have an outcome. The rest of what was read still waits for one.
    func donePart(_ done: Int) -> Double? {
        guard let part, items > 0 else { return nil }
        return min(part * Double(done) / Double(items), 1)
    }
}
