import ArgumentParser
import PushQueue
import WorkerCore

/// The options of a worker that a file can hold too. An option wins over the file.
struct WorkerTuning: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The name of this worker, unlike that of any other one that runs. A worker that starts with the name of one "
                + "that was killed takes its jobs at once (default: host, process and a random part).",
            valueName: "name"),
        transform: WorkerTuning.name)
    var name: ConsumerName?

    @Option(
        help: ArgumentHelp("The tenants, in YAML (docs/worker.md).", valueName: "file.yaml"), completion: .file())
    var tenants: String?

    @Option(
        help: ArgumentHelp(
            "The lanes with their weights (default: high=8,normal=3,bulk=1).", valueName: "name=weight,…"),
        transform: WorkerTuning.lanes)
    var lane: LaneWeights?

    @Option(
        help: ArgumentHelp("Send at most this many notifications a second, all workers together.", valueName: "number"),
        transform: ArgumentReading.positiveNumber)
    var rate: Int?

    @Option(
        help: ArgumentHelp(
            "After this time without a sign of a worker, others take its jobs; the same for all workers of a queue "
                + "(default: 90s).", valueName: "duration"), transform: WorkerTuning.lease)
    var lease: Duration?

    @Option(
        help: ArgumentHelp("How long a stop may take (default: 25s).", valueName: "duration"),
        transform: ArgumentReading.duration)
    var drain: Duration?

    @Option(
        help: ArgumentHelp(
            "After this many attempts a notification goes to the dead letter (default: 10).", valueName: "number"),
        transform: ArgumentReading.positiveNumber)
    var attempts: Int?

    @Option(
        help: ArgumentHelp(
            "What becomes of a notification without an answer: resend, with the same apns-id (default), or dead."),
        transform: WorkerTuning.unknown)
    var unknown: WorkerSettings.Unknown?

    @Option(
        help: ArgumentHelp("Do not send what was enqueued longer ago.", valueName: "duration"),
        transform: WorkerTuning.age)
    var maxAge: Duration?

    @Option(
        help: ArgumentHelp(
            "collapse: a notification replaces one with the same collapse id that still waits here (default); none: each "
                + "is sent."), transform: WorkerTuning.dedupe)
    var dedupe: Dedupe?

    @Option(help: "How many connections to open at most, for each tenant.", transform: ArgumentReading.connections)
    var connections: Int?

    @Option(
        help: ArgumentHelp("How long to wait for the answer to a notification (default: 30).", valueName: "seconds"),
        transform: ArgumentReading.timeout)
    var timeout: Duration?

    @Option(
        help: ArgumentHelp(
            "Write each outcome to the results of the queue, which keep this many.", valueName: "number"),
        transform: ArgumentReading.positiveNumber)
    var results: Int?

    @Option(
        help: ArgumentHelp("The port of /live, /ready, /metrics and the board; 0 takes a free one.", valueName: "port"),
        transform: ArgumentReading.port)
    var port: Int?

    @Option(help: ArgumentHelp("The address of that port (default: 127.0.0.1).", valueName: "address"))
    var host: String?

    /// The options, as keys of the file.
    static let keys = [
        "queue", "name", "tenants", "lane", "rate", "lease", "drain", "attempts", "unknown", "max-age", "dedupe",
        "connections", "timeout", "results", "port", "host",
    ]

    enum Dedupe: String, CaseIterable { case collapse, none }

    /// These options, and those of `other` where these are not given.
    func over(_ other: WorkerTuning) -> WorkerTuning {
        var merged = self
        merged.name = name ?? other.name
        merged.tenants = tenants ?? other.tenants
        merged.lane = lane ?? other.lane
        merged.rate = rate ?? other.rate
        merged.lease = lease ?? other.lease
        merged.drain = drain ?? other.drain
        merged.attempts = attempts ?? other.attempts
        merged.unknown = unknown ?? other.unknown
        merged.maxAge = maxAge ?? other.maxAge
        merged.dedupe = dedupe ?? other.dedupe
        merged.connections = connections ?? other.connections
        merged.timeout = timeout ?? other.timeout
        merged.results = results ?? other.results
        merged.port = port ?? other.port
        merged.host = host ?? other.host
        return merged
    }

    func settings(isOnce: Bool, seed: UInt64) -> WorkerSettings {
        var settings = WorkerSettings()
        settings.lanes = lane ?? settings.lanes
        settings.inFlight = 1000 * (connections ?? 1) + 300
        settings.window = 4 * settings.inFlight
        settings.timeout = timeout ?? settings.timeout
        settings.lease = lease ?? settings.lease
        settings.attempts = attempts ?? settings.attempts
        settings.unknown = unknown ?? settings.unknown
        settings.maximumAge = maxAge
        settings.collapses = dedupe != Dedupe.none
        settings.rate = rate
        settings.writesResults = results != nil
        settings.isOnce = isOnce
        settings.seed = seed
        return settings
    }

    // MARK: Reading

    private static func name(_ text: String) throws -> ConsumerName {
        guard let name = ConsumerName(text) else {
            throw ValidationError("it must have 1 to 128 printable ASCII characters without spaces")
        }
        return name
    }

    private static func lanes(_ text: String) throws -> LaneWeights {
        do throws(LaneWeights.Problem) {
            return try LaneWeights(parsing: text)
        } catch {
            throw ValidationError("\(error.description), such as high=8,normal=3,bulk=1")
        }
    }

    private static func lease(_ text: String) throws -> Duration {
        let lease = try ArgumentReading.duration(text)
        guard lease >= .seconds(3) else { throw ValidationError("it must be at least 3s") }
        return lease
    }

    private static func age(_ text: String) throws -> Duration {
        .milliseconds(try ArgumentReading.milliseconds(text, from: 1))
    }

    private static func unknown(_ text: String) throws -> WorkerSettings.Unknown { try ArgumentReading.choice(text) }

    private static func dedupe(_ text: String) throws -> Dedupe { try ArgumentReading.choice(text) }
}
