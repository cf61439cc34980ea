import APNSModel
import APNSPayload
import PushQueue
import WorkerCore

/// Reads the lines of a batch and puts them into a queue, in calls of many jobs each.
struct BatchEnqueuer {
    struct Options {
        var lane: LaneName
        var tenant: String?
        var due: DueTime?
        /// The most lines of a job.
        var chunk = 1
        /// With an id, the engine takes each line once.
        var id: String?
        var maximumBacklog: Int?
    }

    struct Counts: Hashable, Sendable {
        /// Those that the engine answered for: it added them, or knew them.
        var envelopes = 0
        /// Those that were added.
        var jobs = 0
        /// Envelopes that were added before, with the same id.
        var duplicates = 0
        var bad = 0
    }

    private struct Line {
        var number: Int
        var bytes: [UInt8]
        /// Empty without an id.
        var digest = ""
    }

    /// How many jobs go to the engine in one call.
    private static let jobsInCall = 100
    /// A call ends with the line that reaches this, far below what the clients of the engines send at once.
    private static let maximumCallBytes = 8 << 20

    private(set) var counts = Counts()
    private let queue: any JobQueue
    private let options: Options
    private let note: (String) -> Void
    /// What the worker adds is not known here, so any topic is good.
    private var check = JobReader(
        defaults: EnvelopeDefaults(topic: Topic("com.example"), pushType: .alert), validates: false)
    /// Lines that were read and not enqueued.
    private var lines: [Line] = []
    private var lineBytes = 0
    private var lastNumber = 0
    /// Whether a call went to the queue.
    private var hasCalled = false

    /// - Parameter note: Gets a sentence about each bad line.
    init(_ queue: any JobQueue, _ options: Options, note: @escaping (String) -> Void) {
        self.queue = queue
        self.options = options
        self.note = note
    }

    /// - Parameter stop: When it is raised, what was read and is not in the queue stays out of it.
    /// - Throws: An error that says with which line to go on.
    mutating func add(_ reader: LineReader, until stop: StopSignal? = nil) async throws(CommandError) {
        var isAtEnd = false
        while stop?.isStopped != true {
            guard let line = try next(reader, until: stop) else {
                isAtEnd = reader.isAtEnd
                break
            }
            guard let bytes = line.bytes else {
                bad(reader, line.number, "the line has more than \(LineReader.maximumBytes) bytes")
                continue
            }
            guard let range = JobReader.lineRanges(bytes).first else { continue }
            if case .bad(_, let why) = check.read(bytes, range, number: 0, id: "") {
                bad(reader, line.number, PlainText.safe(why))
                continue
            }
            append(line.number, Array(bytes[range]))
            if lines.count == options.chunk * BatchEnqueuer.jobsInCall || lineBytes >= BatchEnqueuer.maximumCallBytes {
                try await enqueue(from: reader, until: stop)
            }
        }
        try await enqueue(from: reader, until: stop)
        guard isAtEnd else { throw interrupted(reader) }
        if !hasCalled { try await reach() }
    }

    /// Without a line to enqueue the queue has to be reached all the same. A producer may lack the rights of a worker.
    private func reach() async throws(CommandError) {
        do throws(QueueError) {
            try await queue.prepare([])
        } catch {
            guard error.code == .notAllowed else {
                throw CommandError("\(QueueAddress.message(error)); nothing was enqueued")
            }
        }
    }

    private mutating func next(
        _ reader: LineReader, until stop: StopSignal?
    ) throws(CommandError) -> LineReader.Line? {
        do throws(FileError) {
            let line = try reader.next(until: stop)
            lastNumber = line?.number ?? lastNumber
            return line
        } catch {
            throw CommandError("\(error.description); \(rest(from: nextNumber, of: reader))")
        }
    }

    private mutating func bad(_ reader: LineReader, _ number: Int, _ why: String) {
        counts.bad += 1
        note("\(reader.name):\(number): \(why)")
    }

    private mutating func append(_ number: Int, _ bytes: [UInt8]) {
        var line = Line(number: number, bytes: bytes)
        if options.id != nil {
            var fingerprint = BatchFingerprint()
            fingerprint.add(bytes)
            line.digest = fingerprint.text
        }
        lines.append(line)
        lineBytes += bytes.count
    }

    // MARK: Calls

    /// Enqueues all lines that were read.
    private mutating func enqueue(from reader: LineReader, until stop: StopSignal?) async throws(CommandError) {
        var limit = BatchEnqueuer.jobsInCall
        // The number of a line that the queue has with another content.
        var changed: Int?
        while !lines.isEmpty {
            if stop?.isStopped == true { throw interrupted(reader) }
            let ranges = JobChunks.ranges(of: lines.map(\.bytes.count), chunk: options.chunk).prefix(limit)
            let result: EnqueueResult
            hasCalled = true
            do throws(QueueError) {
                result = try await queue.enqueue(
                    ranges.map { job(lines[$0]) }, options: EnqueueOptions(maximumBacklog: options.maximumBacklog))
            } catch {
                // There may be room for some of them.
                if error.code == .backlogFull, ranges.count > 1 {
                    limit = ranges.count / 2
                    continue
                }
                throw failure(error, reader, through: ranges.last?.upperBound ?? lines.count)
            }
            if result.known.isEmpty {
                let count = ranges.last?.upperBound ?? 0
                counts.jobs += result.added
                counts.envelopes += count
                lines.removeFirst(count)
            } else {
                changed = removeLines(known: result.known) ?? changed
            }
        }
        lineBytes = 0
        if let changed {
            throw CommandError(
                "\(reader.name):\(changed): another line \(changed) was enqueued with the id "
                    + "\(PlainText.safe(options.id ?? "")); \(nothing(from: changed)). Enqueue new lines from a file of their "
                    + "own with another id, or restore the lines that were enqueued", .no)
        }
    }

    private func job(_ lines: ArraySlice<Line>) -> NewJob {
        let id = options.id
        let content = JobContent(
            lane: options.lane, tenant: options.tenant,
            key: id.flatMap { id in lines.first.map { "\(id)/\($0.number)" } },
            body: Array(lines.map(\.bytes).joined(separator: [UInt8(ascii: "\n")])))
        let known = lines.compactMap { line in
            id.map { KnownLine(batch: $0, number: line.number, digest: line.digest) }
        }
        return NewJob(content, due: options.due, lines: known)
    }

    /// Removes the lines that the queue has. Where it has another line instead of one, that line and all behind it are removed
    /// too, because the file is another one from there on.
    ///
    /// - Returns: The number of the first such line.
    private mutating func removeLines(known: [KnownLine]) -> Int? {
        let digests = Dictionary(known.map { ($0.number, $0.digest) }, uniquingKeysWith: { first, _ in first })
        let changed = lines.first { line in digests[line.number].map { $0 != line.digest } ?? false }?.number
        if let changed { lines.removeAll { $0.number >= changed } }
        let count = lines.count
        lines.removeAll { digests[$0.number] != nil }
        counts.duplicates += count - lines.count
        counts.envelopes += count - lines.count
        return changed
    }

    // MARK: Errors

    /// The number of the first line that is not in the queue, if it is not bad.
    private var nextNumber: Int { lines.first?.number ?? lastNumber + 1 }

    private func interrupted(_ reader: LineReader) -> CommandError {
        CommandError("interrupted; \(rest(from: nextNumber, of: reader))", .no)
    }

    /// - Parameter end: How many of the lines were in the call.
    private func failure(_ error: QueueError, _ reader: LineReader, through end: Int) -> CommandError {
        let message = QueueAddress.message(error)
        guard let first = lines.first?.number else { return CommandError(message) }
        guard error.mayBeDone else {
            return CommandError(
                "\(message); \(rest(from: first, of: reader, isMendedFirst: !error.isTemporary))",
                error.code == .backlogFull ? .no : .failed)
        }
        guard options.id == nil else { return CommandError("\(message); \(BatchEnqueuer.again)") }
        let last = lines[end - 1].number
        let doubt = first == last ? "line \(first)" : "lines \(first) to \(last)"
        return CommandError(
            "\(message); \(doubt) of \(reader.name) may be in the queue, and what follows is not: look what the queue has "
                + "before you enqueue more")
    }

    private static let again = "run the same command again, which adds only what the queue does not have"

    private func nothing(from number: Int) -> String {
        counts.envelopes == 0 ? "nothing was enqueued" : "nothing was enqueued from line \(number) on"
    }

    /// What was not enqueued, and how to enqueue it without doubles.
    ///
    /// - Parameter isMendedFirst: Whether the same command would fail again until somebody mends the cause.
    private func rest(from number: Int, of reader: LineReader, isMendedFirst: Bool = false) -> String {
        let first = isMendedFirst ? "mend that, then " : ""
        if options.id != nil { return "\(nothing(from: number)); \(first)\(BatchEnqueuer.again)" }
        if counts.envelopes == 0 { return "nothing was enqueued; \(first)run the same command again" }
        let place = reader.name == InputFile.standardInputName ? "" : " \(PlainText.safe(reader.name))"
        let step = isMendedFirst ? "Mend that, then enqueue" : "Enqueue"
        return "\(nothing(from: number)). \(step) only the rest, as with tail -n +\(number)\(place), because what is "
            + "before it is in the queue"
    }
}
