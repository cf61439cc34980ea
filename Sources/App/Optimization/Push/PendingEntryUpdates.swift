import PushDispatch

/// What pushes have named and is not fetched yet. Bounded: the oldest is dropped.
struct PendingEntryUpdates: Hashable, Sendable {
    static let maximumCount = 100

    struct Element: Hashable, Sendable {
        let update: EntryUpdate
        /// Grows with each push, so that an answer does not settle a push that came after its request.
        let mark: Int
    }

    /// Oldest first.
    private(set) var all: [Element] = []
    private var lastMark = 0

    init() {}

    /// - Returns: What was dropped for it.
    mutating func keep(_ update: EntryUpdate) -> EntryUpdate? {
        lastMark += 1
        all.removeAll { $0.update == update }
        all.append(Element(update: update, mark: lastMark))
        return all.count > PendingEntryUpdates.maximumCount ? all.removeFirst().update : nil
    }

    /// Removes it unless the same was named again meanwhile.
    mutating func settle(_ element: Element) { all.removeAll { $0 == element } }

    // MARK: Storing

    /// A JSON array of objects with one id each.
    var text: String {
        let values = all.map { element -> JSONValue in
            switch element.update {
            case .entry(let id): ["entryId": .string(id)]
            case .experience(let id): ["experienceId": .string(id)]
            }
        }
        return String(decoding: JSONValue.array(values).compactBytes, as: UTF8.self)
    }

    /// What cannot be read of a stored text is left out: the next regular fetch has it.
    init(text: String) {
        let limits = JSONLimits(maximumBytes: 65_536, maximumDepth: 3, maximumValues: 1_024)
        let values = (try? JSONReader.read(Array(text.utf8), limits: limits))?.array ?? []
        for value in values {
            if let id = value.object?["entryId"]?.string, EntryUpdateRules.isID(id) {
                _ = keep(.entry(id))
            } else if let id = value.object?["experienceId"]?.string, EntryUpdateRules.isID(id) {
                _ = keep(.experience(id))
            }
        }
    }
}
