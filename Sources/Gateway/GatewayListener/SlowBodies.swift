import HTTP2Session

/// The answers of one connection whose bodies are sent byte by byte, in equal intervals. Times are of the world's clock, in
/// milliseconds since 1970.
struct SlowBodies {
    struct Step: Equatable {
        let stream: HTTP2Stream
        /// How many bytes may be sent by now; nil for all of them and the end of the stream.
        let bytes: Int?
    }

    private struct Entry {
        let stream: HTTP2Stream
        let bytes: Int
        let start: Int64
        let end: Int64
        var released = 0

        /// The last byte is sent with the end of the stream.
        var nextDue: Int64 {
            guard released + 1 < bytes else { return end }
            let share = Double(released + 1) / Double(bytes)
            return start + Int64((Double(end - start) * share).rounded(.up))
        }
    }

    private var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }

    var nextDue: Int64? { entries.lazy.map(\.nextDue).min() }

    mutating func add(_ stream: HTTP2Stream, bytes: Int, from start: Int64, until end: Int64) {
        entries.append(Entry(stream: stream, bytes: bytes, start: start, end: end))
    }

    /// What is sent now, at most one step for each stream.
    mutating func steps(upTo now: Int64) -> [Step] {
        var steps: [Step] = []
        for index in entries.indices where entries[index].nextDue <= now {
            while entries[index].released < entries[index].bytes, entries[index].nextDue <= now {
                entries[index].released += 1
            }
            let entry = entries[index]
            steps.append(Step(stream: entry.stream, bytes: entry.end <= now ? nil : entry.released))
        }
        entries.removeAll { $0.end <= now }
        return steps
    }

    mutating func drop(_ stream: HTTP2Stream) { entries.removeAll { $0.stream == stream } }
}
