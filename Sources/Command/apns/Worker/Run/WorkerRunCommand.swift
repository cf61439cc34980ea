import APNSModel
import ArgumentParser
import PayloadJSON
import PushQueue
import ServiceHost
import SystemFiles
import WorkerCore
import WorkerRuntime

/// `apns worker run`: sends what arrives in the queue until it is stopped.
struct WorkerRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Sends what arrives in a queue until it is stopped.",
        discussion: """
            EXAMPLES
              apns worker --queue redis://127.0.0.1:6379/0 --gateway local
              apns worker --queue postgres://push@127.0.0.1/push --port 9464 \\
                --environment production --topic com.example.app \\
                --key AuthKey_ABC123DEFG.p8 --team-id DEF123GHIJ
              apns worker --queue redis://127.0.0.1:6379/0 --tenants tenants.yaml

            OUTCOMES: accepted notifications leave the queue. Dead device tokens go to feedback, other refusals to the dead \
            letter, 429, 500 and 503 are sent later, at first after 30 seconds. Refused credentials pause their tenant, and \
            an unreachable gateway pauses all that go there; one notification after the other asks whether it is over.

            SIGNALS: SIGTERM and SIGINT stop: what is in flight gets its outcome within --drain, the rest goes back to the \
            queue at once. A second one ends at once. SIGHUP reads the keys again; another gateway, environment or \
            rate counts after a restart.

            PORT: /live, /ready and /metrics, and a board at /. Without --port there is none.

            FILE: --config has queue and the options under WORKER as keys: lease: 90s. An option wins over the file. Gateway, \
            credentials and topic are not among them: they are options, or in a --profile or the file of --tenants.

            EXIT STATUS: 0 stopped in order, or with --once nothing is ready or pending; 2 the queue cannot be had, or a \
            file cannot be used; 64 bad arguments.

            \(QueueOptions.environmentHelp)

            \(CredentialOptions.environmentHelp)
            """)

    @OptionGroup(title: "Queue") var queue: QueueOptions
    @OptionGroup(title: "Destination and credentials") var credentials: CredentialOptions
    @Option(
        help: ArgumentHelp("The topic of envelopes without one.", valueName: "bundle"),
        transform: { try ArgumentReading.topic($0).value })
    var topic: String?
    @OptionGroup(title: "Worker") var tuning: WorkerTuning
    @Option(
        help: ArgumentHelp("A file with queue and the options under WORKER, in YAML.", valueName: "file.yaml"),
        completion: .file())
    var config: String?
    @Flag(help: "Send notifications even if a check finds an error in them.")
    var skipValidation = false
    @Flag(help: "End when nothing is ready or pending. What is for later stays for later.")
    var once = false
    @Flag(help: "Print one JSON object a line: where it is, what happens, and the counts at the end.")
    var json = false

    func run() async throws {
        // Each tenant that sends has a connection.
        OpenFiles.allowMost()
        let file = try config.map { path throws(CommandError) in try WorkerConfigFile(path: path) }
        let tuning = file.map { self.tuning.over($0.tuning) } ?? self.tuning
        let log = WorkerLog(isJSON: json)
        let tenants = WorkerTenants(
            credentials: credentials, topic: topic, path: tuning.tenants, connections: tuning.connections ?? 1,
            timeout: tuning.timeout ?? .seconds(30))
        let read = try tenants.read()
        guard !read.isEmpty else {
            throw CommandError("there are no credentials: give --key or --certificate, or --tenants with a tenant")
        }
        let queue = try await queue.open(file?.queue)
        let name = try tuning.name ?? WorkerName.random()
        var options = Worker.Options(
            name: name, settings: tuning.settings(isOnce: once, seed: UInt64.random(in: .min ... .max)))
        options.validates = !skipValidation
        options.isNameStable = tuning.name != nil
        if let results = tuning.results { options.resultsKept = results }
        let worker = Worker(queue: queue, tenants: read, options: options) { log.write($0) }

        let drain = tuning.drain ?? .seconds(25)
        let signals = Signals { count in
            guard count == 1 else { System.exit(.no) }
            worker.stop(within: drain)
        }
        let hangUp = HangUpSignal {
            do throws(CommandError) {
                // The notes were shown at the start.
                let now = try tenants.read { _ in }
                let reloaded = worker.reload(now)
                log.reloaded(from: read.map(\.settings.label), to: now.map(\.settings.label), reloaded)
            } catch {
                log.log("error", "not-reloaded", "The old credentials stay: \(error.message)") { _ in }
            }
        }
        let port = try await openPort(worker, queue, name, tuning)
        do throws(QueueError) {
            try await worker.prepare()
            if !worker.view.isDraining { ready(log, name, read, port) }
            try await worker.run()
        } catch {
            await port?.stop()
            await queue.close()
            let message = QueueAddress.message(error)
            guard log.finish() else {
                Output.standard.noteNow("Error: \(PlainText.safe(message))")
                System.exit(.failed)
            }
            throw CommandError(message)
        }
        await port?.stop()
        withExtendedLifetime((signals, hangUp)) {}
        summary(log, worker.view.counts)
        guard log.finish() else { System.exit(.done) }
        // Event loops of many connections may still end. The exit handlers of libraries must not free what they use.
        try Output.standard.finish()
        System.exit(.done)
    }

    private func openPort(
        _ worker: Worker, _ queue: any JobQueue, _ name: ConsumerName, _ tuning: WorkerTuning
    ) async throws -> ServicePort? {
        guard let port = tuning.port else { return nil }
        let answers = WorkerPort(worker: worker, queue: queue, name: name, host: tuning.host ?? "127.0.0.1")
        do {
            return try await answers.open(port)
        } catch let error as ServicePort.StartError {
            await queue.close()
            throw CommandError(error.description)
        }
    }

    private func ready(_ log: WorkerLog, _ name: ConsumerName, _ tenants: [WorkerTenant], _ port: ServicePort?) {
        let gateways = Set(tenants.map(\.settings.host)).sorted()
        let place = port.map { ", \($0.url)" } ?? ""
        log.log(
            "info", "ready",
            "The worker \(name) sends to \(gateways.joined(separator: ", "))\(place). Ctrl-C stops it."
        ) { text in
            text.add("name", name.text)
            text.add("gateways", strings: gateways)
            text.addOrNull("url", port?.url)
            text.add("tenants", strings: tenants.map(\.settings.label))
        }
    }

    private func summary(_ log: WorkerLog, _ counts: WorkerCounts) {
        let names = ["accepted", "refused", "unsent", "unknown", "expired", "superseded", "dead"]
        let totals = names.map { (name: $0, count: counts.total(of: $0)) }
        let text = totals.filter { $0.count > 0 || $0.name == "accepted" }.map { "\($0.count) \($0.name)" }
        let again = counts.redelivered > 0 ? "; \(counts.redelivered) jobs were delivered before" : ""
        log.log("info", "summary", "Stopped: \(text.joined(separator: ", "))\(again).") { object in
            for total in totals { object.add(name: total.name, json: Array("\(total.count)".utf8)) }
            object.add("redelivered", counts.redelivered)
            object.add("resent", counts.resent)
            object.add("jobs", counts.settledJobs)
        }
    }
}
