// Runs seeds of the simulation and prints the first one that fails; tools/check-mutations builds and starts it.
// `apns-seeds worker FIRST COUNT` does that for several workers, an engine and a gateway.
// `apns-seeds backlog` prints the backlog of workers whose gateway fails for a while (docs/sizing.md).
// `apns-seeds staleness COUNT` measures how old the copies on devices are, and what that costs (docs/simulation.md).
import Foundation
import Simulation
import SimulationSQLite
import Synchronization
import WorkerSimulation

let usage = """
    usage: apns-seeds [WORLD] SEED         prints the trace of a seed
           apns-seeds [WORLD] FIRST COUNT  runs seeds up to the first that fails
           apns-seeds worker FIRST COUNT
           apns-seeds staleness COUNT
           apns-seeds backlog [--help]
    A WORLD is records, personalization or optimization; all three if none is named.
    """
var words = Array(CommandLine.arguments.dropFirst())

if words.first == "staleness" {
    guard let count = words.dropFirst().first.flatMap({ UInt64($0) }), count > 0 else {
        print(usage)
        exit(64)
    }
    exit(try await StalenessTable(seeds: count).show() ? 0 : 1)
}

if words.first == "backlog" {
    if words.contains("--help") {
        print(BacklogCommand.help)
        exit(0)
    }
    do throws(BacklogCommand.Wrong) {
        exit(try BacklogCommand(words.dropFirst()).show() ? 0 : 1)
    } catch {
        FileHandle.standardError.write(Data("apns-seeds backlog: \(error.message); see --help\n".utf8))
        exit(64)
    }
}

if words.first == "worker" {
    let numbers = words.dropFirst().compactMap { UInt64($0) }
    guard words.count == 3, numbers.count == 2 else {
        print(usage)
        exit(64)
    }
    for seed in numbers[0]..<(numbers[0] + numbers[1]) {
        for (hasHardFaults, isEngineSlow) in [(false, false), (true, false), (false, true)] {
            var world = WorkerWorld(seed: seed, hasHardFaults: hasHardFaults, isEngineSlow: isEngineSlow)
            guard let violation = world.run() else { continue }
            print("seed \(seed): \(violation)")
            exit(1)
        }
    }
    print("\(numbers[1]) seeds passed")
    exit(0)
}

var worlds = SimulatedWorld.allCases
if let world = words.first.flatMap({ SimulatedWorld(rawValue: $0) }) {
    worlds = [world]
    words.removeFirst()
}
let numbers = words.compactMap { UInt64($0) }
guard numbers.count == words.count, (1...2).contains(numbers.count) else {
    print(usage)
    exit(64)
}
if numbers.count == 1 {
    let report = try await Simulation.run(seed: numbers[0], worlds: worlds, recordsTrace: true, files: .sqlite())
    for line in report.trace { print(line) }
    exit(0)
}

final class Found: Sendable {
    let first = Mutex<SimulationReport?>(nil)
}

let found = Found()
do {
    let seeds = numbers[0]..<(numbers[0] + numbers[1])
    try await Simulation.run(seeds: seeds, worlds: worlds, threads: 1, files: .sqlite()) { report in
        guard !report.isGood else { return true }
        found.first.withLock { $0 = report }
        return false
    }
} catch {
    print("the simulation could not run: \(error)")
    exit(2)
}
if let report = found.first.withLock({ $0 }) {
    print("seed \(report.seed): \(report.violations[0])")
    exit(1)
}
print("\(numbers[1]) seeds passed")
