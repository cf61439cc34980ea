/// Where jobs are kept that no worker reserves.
package enum KeptPlace: String, Hashable, Sendable, CaseIterable {
    case dead
    case later
}

/// A job in the dead letter or among the scheduled ones.
package struct KeptJob: Hashable, Sendable {
    /// Unique within its place, in the order of listing: the id of the entry in Redis, the number of the row in PostgreSQL.
    package var id: String
    package var content: JobContent
    package var reason: String
    package var why: String
    /// When it came here, by the engine's clock, in milliseconds since 1970.
    package var keptAt: Int64
    /// Of a scheduled job: when it is due. Nil in the dead letter.
    package var due: Int64?

    package init(
        id: String, content: JobContent, reason: String, why: String, keptAt: Int64, due: Int64? = nil
    ) {
        self.id = id
        self.content = content
        self.reason = reason
        self.why = why
        self.keptAt = keptAt
        self.due = due
    }
}

/// A line of feedback.
package struct FeedbackLine: Hashable, Sendable {
    package var id: String
    package var line: String

    package init(id: String, line: String) {
        self.id = id
        self.line = line
    }
}

/// A part of a list.
package struct QueuePage<Element: Hashable & Sendable>: Hashable, Sendable {
    package var elements: [Element]
    /// Where the next page starts; nil at the end. Only the engine that made it understands it.
    package var next: String?

    package init(_ elements: [Element], next: String? = nil) {
        self.elements = elements
        self.next = next
    }
}
