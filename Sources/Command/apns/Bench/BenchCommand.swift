import APNSModel
import APNSPayload
import APNSProvider
import ArgumentParser
import Foundation
import LoadGenerator

/// `apns bench`: loads a gateway and measures it.
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Loads a gateway: rate, latency histogram, CPU and memory of the sender.",
        discussion: """
            EXAMPLE
              apns bench --gateway local --rate 20000 --duration 10s --chart latency.svg

            With --rate the load is open loop: notification i is due at start + i / rate, whatever happened to earlier \
            ones, and its latency is measured from that time to its outcome. So a gateway that stops for a second delays \
            everything that was due in that second, and coordinated omission cannot hide it. Without --rate notifications \
            are sent as fast as the gateway takes them, and latency is measured from the submission.

            The first notifications warm up: they open the connections and are not measured. CPU and memory are those of \
            this process. Use it for your own gateways only; Apple treats a flood as an attack.

            EXIT STATUS: 0 all accepted; 1 one was refused, unsent or unknown, or the run was interrupted; 2 nothing could \
            be sent; 64 bad arguments.

            \(CredentialOptions.environmentHelp)
            """)

    @OptionGroup(title: "Destination and credentials") var credentials: CredentialOptions

    @Option(
        help: ArgumentHelp("The bundle id of the app; the suffix of the push type is added.", valueName: "bundle"),
        transform: ArgumentReading.topic)
    var topic: Topic?

    @Option(
        help: ArgumentHelp("The push type: background (the default), or one that shows an alert.", valueName: "type"),
        completion: .pushTypes)
    var pushType: PushTypeArgument?

    @Flag(help: PushTypeArgument.allowanceHelp)
    var allowNewPushTypes = false

    @Option(
        help: ArgumentHelp("Notifications a second (default: as fast as possible).", valueName: "number"),
        transform: ArgumentReading.rate)
    var rate: Double?

    @Option(
        help: ArgumentHelp("How many notifications to measure (default: 100000).", valueName: "number"),
        transform: { try ArgumentReading.whole($0, in: 1...1_000_000_000) })
    var count: Int?

    @Option(
        help: ArgumentHelp("How long to measure, such as 10s, instead of --count.", valueName: "duration"),
        transform: ArgumentReading.duration)
    var duration: Duration?

    @Option(
        help: ArgumentHelp(
            "How many to send before the measurement (default: 2000 for each connection, at most a second of --rate).",
            valueName: "number"),
        transform: { try ArgumentReading.whole($0, in: 0...1_000_000_000) })
    var warmUp: Int?

    @Option(help: "How many connections to open at most.", transform: ArgumentReading.connections)
    var connections = 1

    @Option(
        help: "How many event loops, and so processor cores, to use at most; no more than connections.",
        transform: ArgumentReading.connections)
    var eventLoops = 1

    @Option(
        help: ArgumentHelp("Call send(_:) from this many tasks instead of the bulk form.", valueName: "number"),
        transform: { try ArgumentReading.whole($0, in: 1...100_000) })
    var tasks: Int?

    @Option(
        help: ArgumentHelp(
            "How many notifications are in flight or waiting at most (default: 2000 for each connection, at least 10000).",
            valueName: "number"),
        transform: { try ArgumentReading.whole($0, in: 1...10_000_000) })
    var pending: Int?

    @Option(
        help: "The size of each payload, 64 to 4096.", transform: { try ArgumentReading.whole($0, in: 64...4096) })
    var payloadBytes = 170

    @Option(
        help: ArgumentHelp("How many different device tokens.", valueName: "number"),
        transform: { try ArgumentReading.whole($0, in: 1...100_000) })
    var deviceTokens = 1000

    @Option(
        help: ArgumentHelp("How long to wait for the answer to a notification (default: 30).", valueName: "seconds"),
        transform: ArgumentReading.timeout)
    var timeout = Duration.seconds(30)

    @Flag(help: "Do not check notifications before they are sent.")
    var skipValidation = false

    @Flag(help: "Print the result as one line of JSON.")
    var json = false

    @Option(help: ArgumentHelp("Write a chart of the latencies to this SVG file.", valueName: "file.svg"))
    var chart: String?

    func validate() throws {
        try pushType?.check(allowsNew: allowNewPushTypes)
        guard count == nil || duration == nil else {
            throw ValidationError("--count and --duration both limit the run; give one of them.")
        }
        guard eventLoops <= connections else {
            throw ValidationError("--event-loops is more than --connections: each event loop needs a connection.")
        }
        if let chart, !chart.hasSuffix(".svg") {
            throw ValidationError("--chart writes SVG: the file's name must end in .svg.")
        }
    }

    func run() async throws {
        let output = Output.standard
        // Checked before the run, whose results would be lost.
        if let chart {
            let folder = URL(fileURLWithPath: chart).deletingLastPathComponent().path
            guard FileManager.default.isWritableFile(atPath: folder) else {
                throw CommandError("the chart cannot be written: \(folder) is not a folder that you can write to")
            }
        }
        let choice = try CredentialChoice.find(credentials, topic: topic?.value)
        var configuration = try choice.configuration()
        configuration.connections = connections
        configuration.eventLoops = eventLoops
        configuration.timeout = timeout
        configuration.connectAttempts = 4
        configuration.validates = !skipValidation
        configuration.allowsNewPushTypes = allowNewPushTypes
        // Enough for 1000 streams of each connection, and as many notifications on the way to and from them.
        configuration.maximumPending = pending ?? max(10_000, 2000 * connections)

        let notifications = try notifications(topic: choice.neededTopic())
        let provider = try choice.open { () throws(ProviderConfigurationError) in
            try PushProvider(configuration, logger: .silent("apns.bench"))
        }
        let warmUp = warmUp ?? min(2000 * connections, rate.map { Int($0.rounded(.up)) } ?? .max)
        let run = BenchRun(
            schedule: Schedule(
                rate: rate, limit: duration.map { .duration($0) } ?? .count(count ?? 100_000), warmUp: warmUp),
            warmUp: warmUp, notifications: notifications, gateway: configuration.gateway, output: output)
        let measurement = try await run.load(provider, tasks: tasks)
        try report(measurement, gateway: configuration.gateway, output)
        try output.finish()
        try measurement.exitStatus.end()
    }

    private func notifications(topic: Topic) throws(CommandError) -> [APNSNotification] {
        let notifications = LoadPool.notifications(
            topic: topic, pushType: pushType?.value ?? .background, payloadBytes: payloadBytes,
            deviceTokens: deviceTokens, seed: 1)
        var validator = Validator(allowsNewPushTypes: allowNewPushTypes)
        if !skipValidation, let finding = validator.firstError(for: notifications[0]) {
            throw CommandError(
                "a check finds an error in such a notification (\(finding.message)); choose another --push-type, or send "
                    + "it anyway with --skip-validation", .no)
        }
        return notifications
    }

    private func report(_ measurement: BenchRun.Measurement, gateway: APNSGateway, _ output: Output) throws {
        guard !measurement.couldDoNothing else {
            return output.note("\(gateway): nothing could be sent, so there is nothing to measure.")
        }
        let summary = LoadSummary(
            gateway: gateway.description, connections: connections, tasks: tasks, wantedRate: rate,
            payloadBytes: payloadBytes, record: measurement.record, submitted: measurement.submitted,
            elapsed: measurement.elapsed, cpu: measurement.cpu,
            peakMemoryBytes: BenchResources.now.peakMemoryBytes, isInterrupted: measurement.isInterrupted)
        output.result(json ? summary.json : summary.text)
        if let chart { try write(LatencyChart(summary).svg, to: chart) }
        if let miscount = summary.miscount {
            throw CommandError("\(miscount); this is a bug of the sender, please report it")
        }
    }

    private func write(_ picture: String, to path: String) throws(CommandError) {
        do {
            try Data(picture.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw CommandError("the chart cannot be written to \(path): \(error.localizedDescription)")
        }
    }
}

extension ArgumentReading {
    fileprivate static func rate(_ text: String) throws -> Double {
        guard let rate = Double(text), (0.01...10_000_000).contains(rate) else {
            throw ValidationError("it must be notifications a second, from 0.01 to 10000000")
        }
        return rate
    }

    fileprivate static func whole(_ text: String, in range: ClosedRange<Int>) throws -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw ValidationError("it must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
