internal import PushQueue
internal import RedisClient

/// The fields of an entry: a name, its value, and so on.
struct EntryFields {
    private(set) var list = RedisArguments()

    init() {}

    /// The fields of a job in a stream of jobs, whose key says the lane.
    init(_ content: JobContent) {
        append("b", content.body)
        if let tenant = content.tenant { append("t", tenant.utf8) }
        if content.attempt != 0 { append("a", String(content.attempt).utf8) }
        if let key = content.key { append("id", key.utf8) }
        if let context = content.context { append("c", context.utf8) }
    }

    /// The fields of a job that is kept elsewhere.
    init(_ content: JobContent, reason: String, why: String) {
        self.init(content)
        append("lane", content.lane.text.utf8)
        append("reason", reason.utf8)
        append("why", why.utf8)
    }

    /// The fields of an entry of feedback or results.
    init(line: String) { append("line", line.utf8) }

    private mutating func append(_ name: String, _ value: some Collection<UInt8>) {
        list.append(name)
        list.append(value)
    }
}
