public import PushDispatch

/// A reply of the delivery service: entries, and what they link to.
///
/// What cannot be used is left out and named in ``issues``.
public struct DeliveryReply: Hashable, Sendable {
    /// The number of entries that the query has, on all pages.
    public var total: Int
    public var skip: Int
    public var limit: Int
    /// The entries of this page, as they came.
    public var items: [ContentEntry]
    /// The entries and assets that came along.
    public var includes: [ContentEntry]
    public var issues: [ReadingIssue]

    public init(items: [ContentEntry], includes: [ContentEntry] = []) {
        total = items.count
        skip = 0
        limit = items.count
        self.items = items
        self.includes = includes
        issues = []
    }

    /// Of a reply. The service itself sends 7 MB at most.
    public static let maximumBytes = 16 << 20
    static let maximumDepth = 64

    /// The items with their links replaced by entries and assets of `items` and `includes`.
    ///
    /// - Returns: The entries, and the links that are left with the reason; at most 100 of those.
    public func linkedEntries() -> (entries: [ContentEntry], unreplaced: [UnreplacedLink]) {
        var replacer = LinkReplacer((items + includes).map(\.json))
        return (items.map { replacer.replace($0) }, replacer.unreplaced)
    }

    /// One entry of the reply with its links replaced; nil if there is none of this id.
    public func linkedEntry(_ id: String) -> ContentEntry? {
        var replacer = LinkReplacer((items + includes).map(\.json))
        return replacer.entry(id)
    }

    /// The entry with its links replaced by entries and assets of this reply.
    public func linked(_ entry: ContentEntry) -> ContentEntry {
        var replacer = LinkReplacer((items + includes).map(\.json))
        return replacer.replace(entry)
    }

    // Reading.

    /// - Throws: `invalidValue` if it is not JSON, too large, or has no list of items.
    public static func read(_ bytes: [UInt8], maximumBytes: Int = maximumBytes) throws(OptimizationError)
        -> DeliveryReply
    {
        try read(ReplyText.json(bytes, of: "the delivery service", maximumBytes: maximumBytes, depth: maximumDepth))
    }

    public static func read(_ value: JSONValue) throws(OptimizationError) -> DeliveryReply {
        guard let members = value.object else {
            throw OptimizationError(
                .invalidValue, "the delivery reply is \(value.kindInWords) instead of an object with items")
        }
        guard let list = members["items"]?.array else {
            throw OptimizationError(
                .invalidValue, "the delivery reply has no array of items; check that the URL is one of entries")
        }
        var reader = ObjectReader(members)
        var reply = DeliveryReply(items: entries(list, "items", &reader.issues))
        reply.total = max(0, reader.integer("total") ?? reply.items.count)
        reply.skip = max(0, reader.integer("skip") ?? 0)
        reply.limit = max(0, reader.integer("limit") ?? reply.items.count)
        let includes = reader.object("includes")
        for key in includes.keys.sorted() {
            guard let list = includes[key]?.array else {
                reader.note("includes.\(key.inMessage)", "is not an array, and is left out")
                continue
            }
            reply.includes += entries(list, "includes.\(key.inMessage)", &reader.issues)
        }
        reply.issues = reader.issues.all
        return reply
    }

    /// Entries and assets: every object with an id.
    private static func entries(_ list: [JSONValue], _ path: String, _ issues: inout IssueList) -> [ContentEntry] {
        var entries: [ContentEntry] = []
        entries.reserveCapacity(list.count)
        for (index, element) in list.enumerated() {
            guard let members = element.object else {
                issues.add("\(path)[\(index)]", "\(EntryProblem.notAnObject), and is left out")
                continue
            }
            let entry = ContentEntry(members)
            if entry.id == nil {
                issues.add("\(path)[\(index)]", "\(EntryProblem.noID), and is left out")
            } else {
                entries.append(entry)
            }
        }
        return entries
    }
}

/// Reads a reply as JSON.
enum ReplyText {
    static func json(
        _ bytes: [UInt8], of service: String, maximumBytes: Int, depth: Int
    ) throws(OptimizationError) -> JSONValue {
        let limits = JSONLimits(
            maximumBytes: maximumBytes, maximumDepth: depth, maximumValues: max(1, maximumBytes / 4))
        do throws(JSONReadError) {
            return try JSONReader.read(bytes, limits: limits)
        } catch {
            let advice =
                switch error.problem {
                case .malformed: "\(error); it may have been cut off, or come from something between"
                case .tooManyBytes, .tooDeep, .tooManyValues:
                    "it has \(error); ask for less, or raise the limit of bytes"
                }
            throw OptimizationError(.invalidValue, "the reply of \(service) cannot be used: \(advice)")
        }
    }
}
