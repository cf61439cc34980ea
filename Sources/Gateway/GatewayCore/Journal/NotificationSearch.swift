import APNSModel

/// A search of the journal for one page. It reads the journal in parts, newest first, so that the world's lock can be
/// released between two parts; entries that come or go meanwhile are not in the result.
package struct NotificationSearch: Sendable {
    private let query: NotificationQuery
    private let limit: Int
    private let text: TextSearch?
    /// Whether the entries of a page are the only ones that must be read.
    private let matchesAll: Bool
    private var total = 0
    private var next: UInt64?
    private var entries: [JournalEntry] = []

    package init(_ query: NotificationQuery) {
        self.query = query
        limit = min(max(1, query.limit), NotificationQuery.maximumLimit)
        text = query.text.flatMap { $0.isEmpty ? nil : TextSearch($0) }
        matchesAll = query.matchesAll
    }

    /// Which entries are to be read: all, but where all match, those of the page and one more, which shows that there is a next one.
    ///
    /// - Parameter sequences: The numbers of all entries.
    package mutating func begin(_ sequences: Range<UInt64>) -> Range<UInt64> {
        guard matchesAll else { return sequences }
        total = sequences.count
        let end = max(sequences.lowerBound, min(sequences.upperBound, query.cursor ?? .max))
        return end - min(end - sequences.lowerBound, UInt64(limit) + 1)..<end
    }

    /// - Parameter range: The numbers of entries, all below those of the part before.
    package mutating func read(_ world: borrowing World, _ range: Range<UInt64>) {
        for sequence in range.reversed() {
            if !matchesAll {
                guard world.journal.matches(sequence, query, text) else { continue }
                total += 1
            }
            guard sequence < query.cursor ?? .max else { continue }
            if entries.count < limit {
                if let entry = world.journal[sequence] { entries.append(entry) }
            } else if next == nil {
                next = entries.last?.sequence
            }
        }
    }

    /// What was found so far.
    package var page: NotificationPage { NotificationPage(total: total, entries: entries, next: next) }
}

/// A search for `NotificationQuery.text`.
struct TextSearch: Sendable {
    /// In lower case.
    private let needle: [UInt8]

    init(_ text: String) { needle = text.utf8.map(\.asciiLowercased) }

    func matches(_ record: borrowing JournalRecord, uniqueID: String) -> Bool {
        if record.anyText(where: isIn) { return true }
        return [uniqueID, record.reason?.code ?? "", record.rule, record.why].contains { text in
            var text = text
            return text.withUTF8 { isIn(UnsafeRawBufferPointer($0)) }
        }
    }

    private func isIn(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let first = needle.first, needle.count <= text.count else { return needle.isEmpty }
        return needle.withUnsafeBufferPointer { needle in
            for start in 0...text.count - needle.count where text[start].asciiLowercased == first {
                var place = 1
                while place < needle.count, text[start + place].asciiLowercased == needle[place] { place += 1 }
                if place == needle.count { return true }
            }
            return false
        }
    }
}

extension UInt8 {
    @inline(__always)
    var asciiLowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}
