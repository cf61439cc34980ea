internal import PushQueue
internal import RedisClient

/// The arguments of a script, in the order in which it reads them.
struct ScriptArguments {
    private(set) var list = RedisArguments()

    init(prefix: String) { append(prefix) }

    mutating func append(_ text: String) { list.append(text) }

    mutating func append(_ number: some BinaryInteger) { list.append(number) }

    /// Their number, and then each.
    mutating func append(counted texts: some Collection<String>) {
        append(texts.count)
        for text in texts { append(text) }
    }

    /// The number of names and values, and then each.
    mutating func append(_ fields: EntryFields) {
        append(fields.list.count)
        list.append(fields.list)
    }

    mutating func append(_ due: DueTime) {
        switch due {
        case .at(let milliseconds):
            append("at")
            append(milliseconds)
        case .after(let duration):
            append("in")
            append(duration.wholeMilliseconds)
        }
    }

    /// The number of jobs, and for each its stream and its entry.
    mutating func append(_ jobs: [JobID]) {
        append(jobs.count)
        for job in jobs {
            append(job.stream)
            append(job.entry)
        }
    }
}

extension Duration {
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        return overflow ? (seconds < 0 ? .min / 2 : .max / 2) : scaled + attoseconds / 1_000_000_000_000_000
    }
}
