import APNSModel
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
            The file of --batch has one envelope a line, as for apns send. Bad lines are reported and left out. A job has \
            --chunk envelopes, or fewer where they have more than 1 MiB together. Lines are enqueued when there are 100 jobs \
            or 8 MiB of them, or the input ends: those of a slow pipe wait until then.

            With --id the same command, run again within 24 hours, adds only the lines that were not added: those that were \
            bad and are corrected, those that were appended, and those that an interrupted run did not reach. --chunk may be \
            another one then. A line is known by its number, so where another line was added under a number, the command \
            stops and names it.

            EXAMPLES
              apns worker enqueue --queue redis://127.0.0.1:6379/0 --chunk 100 \\
                --batch batch.ndjson
              apns worker enqueue --queue redis://127.0.0.1:6379/0 --lane bulk \\
                --batch - --at +1h --id campaign-7

            SIGNALS: SIGTERM and SIGINT stop: what is not on its way to the queue stays out of it. A second one ends at once.

            EXIT STATUS: 0 all are in the queue; 1 a line was bad, the lane has --max-backlog jobs already, another line was \
            added with the same --id, or a signal stopped it; 2 the queue cannot be had, or the file cannot be read; 64 bad \
            arguments. The message says how many are in the queue, and with which line to go on.

            \(QueueOptions.environmentHelp)
            """)

    @OptionGroup var queue: QueueOptions
    @Option(
        help: ArgumentHelp("A file of envelopes, one a line; - is standard input.", valueName: "path"),
        completion: .file())
    var batch: String
    @Option(help: ArgumentHelp("How many envelopes a job has at most, 1 to 100.", valueName: "number"))
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
            "The id of this batch, at most 200 bytes: each line of it is added once in 24 hours.",
            valueName: "text"))
    var id: String?
    @Flag(help: "Print the counts as a line of JSON.")
    var json = false

    /// An index of PostgreSQL takes keys of 2,700 bytes.
    private static let maximumIDBytes = 200

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
        guard (id?.utf8.count ?? 0) <= WorkerEnqueueCommand.maximumIDBytes else {
            throw ValidationError("--id must have at most \(WorkerEnqueueCommand.maximumIDBytes) bytes")
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

    func run() async throws {
        guard let lane = LaneName(lane) else { return }
        let reader: LineReader
        do throws(FileError) {
            reader = LineReader(try InputFile(path: batch), skipsByteOrderMark: true)
        } catch {
            throw CommandError(error.description)
        }
        let options = BatchEnqueuer.Options(
            lane: lane, tenant: tenant, due: try due(), chunk: chunk, id: id, maximumBacklog: maxBacklog)
        let queue = try await queue.open()
        let stop = StopSignal()
        let signals = Signals { count in
            guard count == 1 else { System.exit(.no) }
            stop.stop()
        }
        defer { withExtendedLifetime(signals) {} }
        var enqueuer = BatchEnqueuer(queue, options) { Output.standard.note($0) }
        do throws(CommandError) {
            try await enqueuer.add(reader, until: stop)
        } catch {
            await queue.close()
            report(enqueuer.counts)
            throw error
        }
        await queue.close()
        report(enqueuer.counts)
        if enqueuer.counts.bad > 0 { try ExitStatus.no.end() }
    }

    private func report(_ counts: BatchEnqueuer.Counts) {
        if json {
            Output.standard.result(
                #"{"envelopes":\#(counts.envelopes),"jobs":\#(counts.jobs),"duplicates":\#(counts.duplicates),"#
                    + #""bad":\#(counts.bad)}"#)
            return
        }
        Output.standard.result(counts.text)
    }
}

extension BatchEnqueuer.Counts {
    /// For people.
    var text: String {
        func counted(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
        func were(_ number: Int) -> String { number == 1 ? "was" : "were" }
        let known = duplicates > 0 ? ", \(counted(duplicates, "envelope")) \(were(duplicates)) there already" : ""
        let omitted = bad > 0 ? "; \(counted(bad, "bad line")) \(were(bad)) left out" : ""
        return "\(counted(envelopes, "envelope")): \(counted(jobs, "job")) enqueued\(known)\(omitted)"
    }
}
