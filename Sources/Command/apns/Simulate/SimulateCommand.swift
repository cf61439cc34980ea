import ArgumentParser
import Foundation
import Simulation
import SimulationSQLite

/// `apns simulate`: runs the whole product on virtual time from a seed.
struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: """
            Runs sender, gateway, devices, CRM and decision service on virtual time from a seed, with faults, and checks what \
            must hold.
            """,
        discussion: """
            The seed decides everything that happens: what users change, which pushes are lost, late, duplicated or \
            replaced, when an app crashes, and which calls fail. At the end, after one regular sync, every store must equal \
            what the CRM shows to its user, and no edit may be lost. Then other devices run with the decision service, and \
            others with the optimization services: every event must arrive once or be reported as dropped, nobody may see \
            what was decided for somebody else, and nothing is reported without consent. The same seed gives the same run.

            EXAMPLE
              apns simulate --seed 42
              apns simulate --seed 42 --trace
              apns simulate --seed 42 --world personalization --trace
              apns simulate --seeds 10000

            EXIT STATUS: 0 all checks passed; 1 one failed, and its seed is printed; 2 the simulation could not run; 64 bad \
            arguments. No environment variable is read.
            """)

    @Option(help: ArgumentHelp("Run this seed and print what happened.", valueName: "n"))
    var seed: UInt64?

    @Option(help: ArgumentHelp("Run this many seeds and print which fail.", valueName: "count"))
    var seeds: UInt64?

    @Option(help: ArgumentHelp("The first seed of --seeds (default: 1).", valueName: "n"))
    var from: UInt64?

    @Option(help: ArgumentHelp("How many seeds run at a time (default: the number of cores).", valueName: "n"))
    var threads: Int?

    @Option(help: ArgumentHelp("Run this world only (default: one after the other).", valueName: "name"))
    var world: SimulatedWorld?

    @Flag(help: "With --seed: print every step of the run.")
    var trace = false

    @Flag(help: "Print one JSON object for each seed that failed, or for that of --seed.")
    var json = false

    func validate() throws {
        guard (seed == nil) != (seeds == nil) else {
            throw ValidationError("Give --seed N for one run, or --seeds COUNT for many.")
        }
        guard seeds != 0 else { throw ValidationError("--seeds takes 1 or more.") }
        guard seeds != nil || (from == nil && threads == nil) else {
            throw ValidationError("--from and --threads need --seeds.")
        }
        guard seed != nil || !trace else { throw ValidationError("--trace needs --seed.") }
        guard (threads ?? 1) >= 1, (threads ?? 1) <= 256 else { throw ValidationError("--threads takes 1 to 256.") }
        let (_, overflow) = (from ?? 1).addingReportingOverflow(seeds ?? 0)
        guard !overflow else { throw ValidationError("--from plus --seeds is larger than the largest seed.") }
    }

    func run() async throws {
        if let seed { return try await one(seed) }
        let run = SimulateRun(first: from ?? 1, count: seeds ?? 1, worlds: worlds, isJSON: json)
        try await run.execute(threads: threads ?? ProcessInfo.processInfo.activeProcessorCount)
    }

    private var worlds: [SimulatedWorld] { world.map { [$0] } ?? SimulatedWorld.allCases }

    private func one(_ seed: UInt64) async throws {
        let report = try await SimulateRun.attempt {
            try await Simulation.run(seed: seed, worlds: worlds, recordsTrace: trace, files: .sqlite())
        }
        for line in report.trace { json ? Output.standard.note(line) : Output.standard.result(line) }
        if json {
            Output.standard.result(SimulateText.json(report))
        } else {
            Output.standard.write(SimulateText.text(report))
        }
        try (report.isGood ? ExitStatus.done : .no).end()
    }
}

extension SimulatedWorld: ExpressibleByArgument {}
