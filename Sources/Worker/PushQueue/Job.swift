/// Where a job stands: in which stream of the engine, and which of its entries.
///
/// It is stable: each delivery of the job has the same, so an `apns-id` can be derived from it. A job that is moved (later,
/// dead, again) is a new entry with another id.
package struct JobID: Hashable, Sendable, CustomStringConvertible {
    /// The key of the stream in Redis (`push:jobs:normal:0`), `push_job` in PostgreSQL.
    package let stream: String
    /// The id of the entry in Redis (`1700000000000-0`), the number of the row in PostgreSQL.
    package let entry: String

    package init(stream: String, entry: String) {
        self.stream = stream
        self.entry = entry
    }

    package var description: String { "\(stream)/\(entry)" }

    /// Entries of different streams rarely have the same id.
    package func hash(into hasher: inout Hasher) { hasher.combine(entry) }
}

/// What a job consists of, wherever it stands.
package struct JobContent: Hashable, Sendable {
    package var lane: LaneName
    /// Whose credentials it is sent with; nil takes those of the command line. Field `t`.
    package var tenant: String?
    /// How many attempts were counted before. 0 for a job from a producer. Field `a`.
    package var attempt: Int
    /// The id for deduplication, as the producer gave it. Field `id`.
    package var key: String?
    /// 1 to 100 envelopes, one a line. Engines store the bytes unchanged and never look into them. Field `b`.
    package var body: [UInt8]
    /// What the worker wants to know when the job comes back: the `apns-id` of each line, the history. Engines store the text
    /// unchanged. Nil for a job from a producer. Field `c`.
    package var context: String?

    package init(
        lane: LaneName, tenant: String? = nil, attempt: Int = 0, key: String? = nil, body: [UInt8],
        context: String? = nil
    ) {
        self.lane = lane
        self.tenant = tenant
        self.attempt = attempt
        self.key = key
        self.body = body
        self.context = context
    }
}

/// A job that a worker has reserved. It is an object, because it is handed on many times on its way through a worker.
package final class Job: Hashable, Sendable {
    package let id: JobID
    package let content: JobContent
    /// When the engine took the job into this stream, by the engine's clock, in milliseconds since 1970.
    package let enqueuedAt: Int64
    /// How often the job was delivered, this time included: 1 the first time. Above 1 an earlier worker may have sent it.
    package let deliveries: Int
    /// What is wrong with the entry itself, in a sentence: it has no field `b` or several, or `a` is not a number. Then `content.body` is
    /// what was there, as one line of JSON, so that the dead letter can hold it. Nil for a good entry.
    package let flaw: String?

    package init(id: JobID, content: JobContent, enqueuedAt: Int64, deliveries: Int = 1, flaw: String? = nil) {
        self.id = id
        self.content = content
        self.enqueuedAt = enqueuedAt
        self.deliveries = deliveries
        self.flaw = flaw
    }

    /// The same job, delivered so often.
    package func delivered(_ deliveries: Int) -> Job {
        Job(id: id, content: content, enqueuedAt: enqueuedAt, deliveries: deliveries, flaw: flaw)
    }

    package static func == (left: Job, right: Job) -> Bool {
        left.id == right.id && left.content == right.content && left.enqueuedAt == right.enqueuedAt
            && left.deliveries == right.deliveries && left.flaw == right.flaw
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
