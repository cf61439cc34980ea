// Runs seeds of the simulation and prints the first one that fails; tools/check-mutations builds and starts it.
// `apns-seeds staleness COUNT` measures how old the copies on devices are, and what that costs (docs/simulation.md).
import Foundation
import Simulation
import SimulationSQLite
import Synchronization

if CommandLine.arguments.dropFirst().first == "staleness" {
    guard let count = CommandLine.arguments.dropFirst(2).first.flatMap({ UInt64($0) }), count > 0 else {
        print("usage: apns-seeds staleness COUNT")
        exit(64)
    }
    exit(try await StalenessTable(seeds: count).show() ? 0 : 1)
}

let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
guard numbers.count == 2 else {
    if let seed = numbers.first {
        for line in try await Simulation.run(seed: seed, recordsTrace: true, files: .sqlite()).trace { print(line) }
        exit(0)
    }
    print("usage: apns-seeds FIRST COUNT")
    exit(64)
}

final class Found: Sendable {
    let first = Mutex<SimulationReport?>(nil)
}

let found = Found()
do {
    try await Simulation.run(seeds: numbers[0]..<(numbers[0] + numbers[1]), threads: 1, files: .sqlite()) { report in
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
