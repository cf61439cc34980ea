import ArgumentParser
import PushDispatch

/// `apns org log`: shows what happened in the org.
struct OrgLogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Shows what happened in the org: push calls, answers of the gateway, devices, faults.",
        discussion: """
            EXAMPLE
              apns org log --follow

            EXIT STATUS: 0 done, or stopped; 2 no org is running; 64 bad arguments.
            """)

    @Flag(name: [.long, .short], help: "Wait for more entries, until Ctrl-C.")
    var follow = false
    @Option(help: "Begin after the entry with this number.")
    var after = 0
    @Flag(help: "Print each entry as a line of JSON.")
    var json = false
    @OptionGroup var endpoint: OrgEndpoint

    func validate() throws {
        guard after >= 0 else { throw ValidationError("--after takes a number from 0") }
    }

    func run() async throws {
        let stop = AsyncStream.makeStream(of: Void.self)
        let signals = Signals { _ in stop.continuation.finish() }
        let reading = Task { try await read() }
        let watch = Task {
            for await _ in stop.stream {}
            reading.cancel()
        }
        let result = await reading.result
        watch.cancel()
        withExtendedLifetime(signals) {}
        if case .failure(let error) = result, !reading.isCancelled { throw error }
    }

    private func read() async throws {
        var last = after
        while !Task.isCancelled, !Output.standard.isBroken {
            let wait = follow ? "&wait=20s" : ""
            let answer = try await endpoint.call("GET", "log?after=\(last)\(wait)")
            let entries = answer.object?["entries"]?.array ?? []
            if follow, let newest = OrgLogText.newest(in: answer), newest < last {
                Output.standard.note("the org was reset: its log began anew, and is shown from its first entry")
                last = 0
                continue
            }
            for entry in entries {
                if case .integer(let number)? = entry.object?["number"] { last = Int(number) }
                Output.standard.result(
                    json
                        ? String(decoding: entry.compactBytes, as: UTF8.self)
                        : OrgLogText.line(entry, style: Output.standard.results))
            }
            Output.standard.flush()
            if !follow, entries.isEmpty { return }
        }
    }
}
