import APNSModel
import APNSPayload
import ArgumentParser
import PushQueue
import SystemFiles
import WorkerCore

/// `apns worker enqueue`: puts envelopes into the queue.
struct WorkerEnqueueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enqueue",
        abstract: "Puts envelopes into the queue.",
        discussion: """
            The file of --batch has one envelope a line, as for apns send. Bad lines are reported and left out. With --id \
            the same command, run again, adds only what the queue does not have.

            EXAMPLES
              apns worker enqueue --queue redis://127.0.0.1:6379/0 --chunk 100 \\
                --batch batch.ndjson
              apns worker enqueue --queue redis://127.0.0.1:6379/0 --lane bulk \\
                --batch - --at +1h --id campaign-7

            EXIT STATUS: 0 all are in the queue; 1 a line was bad, or the lane has --max-backlog jobs already; 2 the queue \
            cannot be had, or the file cannot be read; 64 bad arguments. The message says how many are in the queue.

            \(QueueOptions.environmentHelp)
            """)

    @OptionGroup var queue: QueueOptions
    @Option(
        help: ArgumentHelp("A file of envelopes, one a line; - is standard input.", valueName: "path"),
        completion: .file())
    var batch: String
    @Option(help: ArgumentHelp("How many envelopes a job has, 1 to 100.", valueName: "number"))
    var chunk = 1
    @Option(help: ArgumentHelp("The lane.", valueName: "name"))
    var lane = "normal"
    @Option(help: ArgumentHelp("The tenant whose credentials the jobs are sent with.", valueName: "name"))
    var tenant: String?
    @Option(
        help: ArgumentHelp(
            "When they are due: a time such as 2026-11-21T07:00:00Z, seconds since 1970, or +1h (default: now).",
            valueName: "time"))
    var at: String?
    @Option(
        help: ArgumentHelp("Add nothing more to a lane that has this many unreserved jobs.", valueName: "number"),
        transform: ArgumentReading.positiveNumber)
    var maxBacklog: Int?
    @Option(
        help: ArgumentHelp(
            "The id of this batch: what has the same id and place in the file is added once in 24 hours.",
            valueName: "text"))
    var id: String?
    @Flag(help: "Print the counts as a line of JSON.")
    var json = false

    /// How many jobs go to the engine in one call.
    private static let jobsInCall = 100

    func validate() throws {
        guard (1...JobReader.maximumLines).contains(chunk) else {
            throw ValidationError("--chunk must be a number from 1 to \(JobReader.maximumLines)")
        }
        guard LaneName(lane) != nil else {
            throw ValidationError("--lane must have 1 to 32 characters of a-z, 0-9, - and _")
        }
        guard tenant?.isEmpty != true, id?.isEmpty != true else {
            throw ValidationError("--tenant and --id must not be empty")
        }
        _ = try due()
    }

    private func due() throws -> DueTime? {
        guard let at else { return nil }
        if at.hasPrefix("+"), let wait = TimeText.milliseconds(ofDuration: at.dropFirst()), wait >= 0 {
            return .after(.milliseconds(wait))
        }
        guard let time = TimeText.milliseconds(ofTime: at) else {
            throw ValidationError(
                "--at must be a time such as 2026-11-21T07:00:00Z, seconds since 1970, or a time span such as +1h")
        }
        return .at(milliseconds: time)
    }

    private struct Counts {
        /// Those of the jobs that the engine answered for, added or known.
        var envelopes = 0
        var jobs = 0
        var duplicates = 0
        var bad = 0
    }

    func run() async throws {
        guard let lane = LaneName(lane) else { return }
        let reader: LineReader
        do throws(FileError) {
            reader = LineReader(try InputFile(path: batch))
        } catch {
            throw CommandError(error.description)
        }
        let queue = try await queue.open()
        var counts = Counts()
        do {
            try await add(reader, to: queue, lane, try due(), &counts)
            await queue.close()
        } catch let error as QueueError {
            await queue.close()
            report(counts)
            throw CommandError(QueueAddress.message(error), error.code == .backlogFull ? .no : .failed)
        } catch let error as FileError {
            await queue.close()
            report(counts)
            throw CommandError(error.description)
        }
        report(counts)
        if counts.bad > 0 { try ExitStatus.no.end() }
    }

    private func add(
        _ reader: LineReader, to queue: any JobQueue, _ lane: LaneName, _ due: DueTime?, _ counts: inout Counts
    ) async throws {
        // What the worker adds is not known here, so any topic is good.
        var check = JobReader(
            defaults: EnvelopeDefaults(topic: Topic("com.example"), pushType: .alert), validates: false)
        var (lines, jobs, number) = ([[UInt8]](), [NewJob](), 0)
        let options = EnqueueOptions(maximumBacklog: maxBacklog)
        func finishJob() {
            guard !lines.isEmpty else { return }
            let content = JobContent(
                lane: lane, tenant: tenant, key: id.map { "\($0)/\(number)" },
                body: Array(lines.joined(separator: [UInt8(ascii: "\n")])))
            jobs.append(NewJob(content, due: due))
            number += 1
            lines = []
        }
        func send() async throws(QueueError) {
            guard !jobs.isEmpty else { return }
            let result = try await queue.enqueue(jobs, options: options)
            counts.jobs += result.added
            counts.duplicates += result.duplicates
            counts.envelopes += jobs.reduce(0) { $0 + JobReader.lineRanges($1.content.body).count }
            jobs = []
        }
        while let line = try reader.next() {
            guard let bytes = line.bytes else {
                counts.bad += 1
                Output.standard.note(
                    "\(reader.name):\(line.number): the line has more than \(LineReader.maximumBytes) bytes")
                continue
            }
            guard let range = JobReader.lineRanges(bytes).first else { continue }
            if case .bad(_, let why) = check.read(bytes, range, number: 0, id: "") {
                counts.bad += 1
                Output.standard.note("\(reader.name):\(line.number): \(PlainText.safe(why))")
                continue
            }
            lines.append(Array(bytes[range]))
            if lines.count == chunk { finishJob() }
            if jobs.count == WorkerEnqueueCommand.jobsInCall { try await send() }
        }
        finishJob()
        try await send()
    }

    private func report(_ counts: Counts) {
        if json {
            Output.standard.result(
                #"{"envelopes":\#(counts.envelopes),"jobs":\#(counts.jobs),"duplicates":\#(counts.duplicates),"#
                    + #""bad":\#(counts.bad)}"#)
            return
        }
        let known = counts.duplicates > 0 ? ", \(counts.duplicates) were there already" : ""
        let bad = counts.bad > 0 ? "; \(counts.bad) bad lines were left out" : ""
        Output.standard.result("\(counts.envelopes) envelopes: \(counts.jobs) jobs enqueued\(known)\(bad)")
    }
}
