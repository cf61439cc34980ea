/// A job to be put into the queue.
package struct NewJob: Hashable, Sendable {
    /// With a `key`, the engine takes it only once within `EnqueueOptions.keysKept`.
    package var content: JobContent
    /// Nil: due now.
    package var due: DueTime?
    /// The lines of a batch that the job has. With them, the engine knows it by its lines and not by its key. Either all jobs
    /// of a call have lines, each line in one of them, or none has.
    package var lines: [KnownLine]

    package init(_ content: JobContent, due: DueTime? = nil, lines: [KnownLine] = []) {
        self.content = content
        self.due = due
        self.lines = lines
    }
}

/// A line of a batch. An engine that took it takes no line of the same batch and number within `EnqueueOptions.keysKept`, so
/// how the lines of a batch are divided into jobs may be otherwise each time.
package struct KnownLine: Hashable, Sendable {
    /// The id that the producer gave the batch.
    package var batch: String
    /// The number of the line in the batch, from 1.
    package var number: Int
    /// A hash of its bytes, by which its producer sees that another line was there before.
    package var digest: String

    package init(batch: String, number: Int, digest: String) {
        self.batch = batch
        self.number = number
        self.digest = digest
    }
}

package struct EnqueueOptions: Hashable, Sendable {
    /// Nothing is taken when a lane that gets jobs has this many unreserved jobs already, or would have more. Nil: no limit.
    package var maximumBacklog: Int?
    /// How long the engine remembers the `key` of a job, and its lines.
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
    /// The lines of the call that the engine knew already, with the digests that it has of them. Where there are any, it has
    /// added nothing, and the caller makes jobs of the other lines.
    package var known: [KnownLine]

    package init(added: Int, duplicates: Int, known: [KnownLine] = []) {
        self.added = added
        self.duplicates = duplicates
        self.known = known
    }
}
