internal import PushQueue
internal import RedisClient

/// The fields of an entry: a name, its value, and so on.
struct EntryFields {
    private(set) var list = RedisArguments()

    init() {}

    /// The fields of a job in a stream of jobs, whose key says the lane.
    init(_ content: JobContent) {
        list.append("b")
        list.append(content.body)
        if let tenant = content.tenant { append("t", tenant) }
        if content.attempt != 0 { append("a", String(content.attempt)) }
        if let key = content.key { append("id", key) }
        if let context = content.context { append("c", context) }
    }

    /// The fields of a job that is kept elsewhere.
    init(_ content: JobContent, reason: String, why: String) {
        self.init(content)
        append("lane", content.lane.text)
        append("reason", reason)
        append("why", why)
    }

    /// The fields of an entry of feedback or results.
    init(line: String) { append("line", line) }

    private mutating func append(_ name: String, _ value: String) {
        list.append(name)
        list.append(value)
    }
}
