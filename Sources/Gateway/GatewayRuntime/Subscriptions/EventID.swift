/// The id of an event in the stream of a world, which `Last-Event-ID` resumes after.
package struct EventID: Hashable, Sendable, CustomStringConvertible {
    /// When the history of events began, in milliseconds since 1970.
    let start: Int64
    /// Counts from 1; 0 is before the first event.
    let number: UInt64

    init(start: Int64, number: UInt64) {
        self.start = start
        self.number = number
    }

    /// Fails unless `text` is of the form `START-NUMBER`.
    init?(_ text: String) {
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let start = Int64(parts[0]), let number = UInt64(parts[1]) else { return nil }
        self.init(start: start, number: number)
    }

    package var description: String { "\(start)-\(number)" }
}
