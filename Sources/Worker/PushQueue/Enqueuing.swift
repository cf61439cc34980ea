/// A job to be put into the queue.
package struct NewJob: Hashable, Sendable {
    /// With a `key`, the engine takes it only once within `EnqueueOptions.keysKept`.
    package var content: JobContent
    /// Nil: due now.
    package var due: DueTime?

    package init(_ content: JobContent, due: DueTime? = nil) {
        self.content = content
        self.due = due
    }
}

package struct EnqueueOptions: Hashable, Sendable {
    /// Nothing is taken when a lane that gets jobs has this many unreserved jobs already, or would have more. Nil: no limit.
    package var maximumBacklog: Int?
    /// How long the engine remembers the `key` of a job.
    package var keysKept: Duration

    package init(maximumBacklog: Int? = nil, keysKept: Duration = .seconds(86_400)) {
        self.maximumBacklog = maximumBacklog
        self.keysKept = keysKept
    }
}

package struct EnqueueResult: Hashable, Sendable {
    package var added: Int
    /// Jobs with a key that the engine knew already; they were left out.
    package var duplicates: Int

    package init(added: Int, duplicates: Int) {
        self.added = added
        self.duplicates = duplicates
    }
}
