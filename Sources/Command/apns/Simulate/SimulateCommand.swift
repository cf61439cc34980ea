import ArgumentParser
import Foundation
import Simulation

/// `apns simulate`: the whole product on virtual time, from a seed.
struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: """
            Runs sender, gateway, devices and CRM on virtual time from a seed, with faults, and checks what must hold.
            """,
        discussion: """
            One thread and one seed decide everything: what people change, which pushes are lost, late, doubled or \
            replaced, when an app crashes, what breaks on the way. At the end, after one regular sync, every store has to \
            be what the CRM shows its user, and no edit may be lost. The same seed gives the same run.

            EXAMPLE
              apns simulate --seed 42
              apns simulate --seed 42 --trace
              apns simulate --seeds 10000

            EXIT STATUS: 0 all that must hold held; 1 something did not, and the seed is told; 2 the simulation could not \
            run; 64 bad arguments. No environment variable is read.
            """)

    @Option(help: ArgumentHelp("Run this seed and say what happened.", valueName: "n"))
    var seed: UInt64?

    @Option(help: ArgumentHelp("Run so many seeds and say which fail.", valueName: "count"))
    var seeds: UInt64?

    @Option(help: ArgumentHelp("The first of them.", valueName: "n"))
    var from: UInt64?

    @Option(help: ArgumentHelp("How many run at a time; as many as the machine has cores unless said.", valueName: "n"))
    var threads: Int?

    @Flag(help: "With --seed: every step of the run.")
    var trace = false

    @Flag(help: "One JSON object for each seed that failed, or for the one that was asked for.")
    var json = false

    func validate() throws {
        guard (seed == nil) != (seeds == nil) else {
            throw ValidationError("Say which: --seed N for one run, --seeds COUNT for many.")
        }
        guard seeds != 0 else { throw ValidationError("--seeds takes 1 or more.") }
        guard seeds != nil || (from == nil && threads == nil) else {
            throw ValidationError("--from and --threads go with --seeds.")
        }
        guard seed != nil || !trace else { throw ValidationError("--trace goes with --seed.") }
        guard (threads ?? 1) >= 1, (threads ?? 1) <= 256 else { throw ValidationError("--threads takes 1 to 256.") }
        let (_, overflow) = (from ?? 1).addingReportingOverflow(seeds ?? 0)
        guard !overflow else { throw ValidationError("--from and --seeds together are more than there are seeds.") }
    }

    func run() async throws {
        if let seed { return try await one(seed) }
        let run = SimulateRun(first: from ?? 1, count: seeds ?? 1, isJSON: json)
        try await run.go(threads: threads ?? ProcessInfo.processInfo.activeProcessorCount)
    }

    private func one(_ seed: UInt64) async throws {
        let report = try await SimulateRun.attempt { try await Simulation.run(seed: seed, isTold: trace) }
        for line in report.story { json ? Output.standard.note(line) : Output.standard.result(line) }
        if json {
            Output.standard.result(SimulateText.json(report))
        } else {
            Output.standard.write(SimulateText.text(report))
        }
        try (report.isGood ? ExitStatus.done : .no).end()
    }
}
