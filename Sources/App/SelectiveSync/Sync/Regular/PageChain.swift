/// The pages of a query, as far as they were read.
public struct PageChain: Hashable, Sendable, Codable {
    /// The next page.
    public enum Place: Hashable, Sendable, Codable {
        case first
        case next(Link)
    }

    public struct Link: Hashable, Sendable, Codable {
        public var address: String
        /// The number of records received since the first page.
        public var received: Int
        /// The number of records on all pages, if the server counts them.
        public var total: Int?
        /// The address of an earlier page. A server that returns it again repeats its pages.
        public var landmark: String?
    }

    /// The dates of the records received so far.
    public enum Dates: Hashable, Sendable, Codable {
        case none
        /// In ascending order. All records up to `covered` have certainly arrived; nil while all have the same date.
        case ascending(highest: ServerDate, covered: ServerDate?)
        /// In any order, so only the last page shows that records up to a date have arrived.
        case mixed(highest: ServerDate)
    }

    public var place = Place.first
    public var dates = Dates.none
    /// Pages since the pass started or failed, also those before the query started again.
    public var read = 0
    /// How often the server has refused a next page since the mark moved or the sync was called.
    public var refusals = 0

    package init() {}

    package var next: String? {
        if case .next(let link) = place { link.address } else { nil }
    }

    /// The latest modification date received.
    var highest: ServerDate? {
        switch dates {
        case .none: nil
        case .ascending(let highest, _), .mixed(let highest): highest
        }
    }

    /// The latest date of which all records have certainly arrived, before the last page.
    var covered: ServerDate? {
        if case .ascending(_, let covered) = dates { covered } else { nil }
    }

    /// How often a query may start again in one call without the mark having moved.
    private static let maximumRefusals = 3

    /// Counts a page, and detects a chain of pages without an end: one that returns to an earlier page, or that has more
    /// records than the whole result.
    mutating func follow(_ page: QueryPage, maximumPages: Int) throws(FetchError) {
        guard read < maximumPages else { throw .badPages("more than \(maximumPages) pages") }
        var received = 0
        var landmark: String?
        if case .next(let link) = place {
            guard page.next != link.address else { throw .badPages("a page names itself as the next page") }
            guard page.next == nil || page.next != link.landmark else { throw .badPages("the pages repeat") }
            (received, landmark) = (link.received, link.landmark)
        }
        read += 1
        received += page.records.count
        if let total = page.totalSize, received > total {
            throw .badPages("the pages have more records than the \(total) of the result")
        }
        // Each landmark stays for twice as many pages as the one before, so a loop of any length is detected.
        if read.nonzeroBitCount == 1 { landmark = page.next }
        place =
            page.next.map { .next(Link(address: $0, received: received, total: page.totalSize, landmark: landmark)) }
            ?? .first
    }

    /// - Parameter isPlace: Whether the pages have the record at the place of this date. Otherwise its place is earlier, and the
    ///   date does not prove that those before it have arrived.
    mutating func saw(_ date: ServerDate, isPlace: Bool) {
        switch dates {
        case .none: dates = .ascending(highest: date, covered: nil)
        case .ascending(let highest, let covered):
            // All records of a date have arrived only when a later date arrives.
            if date > highest {
                dates = .ascending(highest: date, covered: isPlace ? highest : covered)
            } else if date < highest {
                dates = .mixed(highest: highest)
            } else {
                dates = .ascending(highest: highest, covered: covered)
            }
        case .mixed(let highest): dates = .mixed(highest: max(highest, date))
        }
    }

    /// The server no longer knows the next page, so the query starts again.
    ///
    /// - Returns: False if that happened too often, or if no next page was asked for.
    mutating func startAgain() -> Bool {
        guard case .next = place, refusals < PageChain.maximumRefusals else { return false }
        refusals += 1
        place = .first
        dates = .none
        return true
    }
}

extension FetchError {
    static func badPages(_ detail: String) -> FetchError {
        FetchError(.badReply, status: 200, advice: .retryLater, detail)
    }
}
