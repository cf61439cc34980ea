import Foundation
import Synchronization

/// Simulates the whole product on virtual time: sender, gateway, devices, org and decision service on one thread, with every
/// choice made from one seed.
package enum Simulation {
    /// Runs one seed to its end. The same seed gives the same run.
    ///
    /// - Parameters:
    ///   - worlds: What is run, one after the other; at least one.
    ///   - recordsTrace: Whether the report contains the trace, which takes time to write.
    ///   - files: The files in which every tenth seed stores what its devices have; nil for memory only. That is another run.
    package static func run(
        seed: UInt64, worlds: [SimulatedWorld] = SimulatedWorld.allCases, recordsTrace: Bool = false,
        files: SimulationFiles?
    ) async throws -> SimulationReport {
        try await onThread { try simulate(seed, worlds, recordsTrace: recordsTrace, files) }
    }

    private static func simulate(
        _ seed: UInt64, _ worlds: [SimulatedWorld], recordsTrace: Bool, _ files: SimulationFiles?
    ) throws -> SimulationReport {
        let reports = try worlds.map { world in
            switch world {
            case .records: try Run(seed: seed, recordsTrace: recordsTrace, files: files).simulate()
            case .personalization: try ShopRun(seed: seed, recordsTrace: recordsTrace, files: files).simulate()
            case .optimization: MagazineRun(seed: seed, recordsTrace: recordsTrace).simulate()
            }
        }
        return reports.dropFirst().reduce(reports[0]) { $0.adding($1) }
    }

    /// Runs many seeds, some at a time.
    ///
    /// - Parameter report: Called in no fixed order, on the thread of the run; returning false ends all runs.
    package static func run<Seeds: Collection<UInt64> & Sendable>(
        seeds: Seeds, worlds: [SimulatedWorld] = SimulatedWorld.allCases, threads: Int, files: SimulationFiles?,
        report: @escaping @Sendable (SimulationReport) -> Bool
    ) async throws where Seeds.SubSequence: Sendable {
        let queue = SeedQueue(seeds)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<max(1, threads) {
                group.addTask {
                    try await onThread {
                        while let seed = queue.next() {
                            if !report(try simulate(seed, worlds, recordsTrace: false, files)) {
                                queue.end()
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private final class SeedQueue<Seeds: Collection<UInt64> & Sendable>: Sendable
    where Seeds.SubSequence: Sendable {
        private let rest: Mutex<Seeds.SubSequence>

        init(_ seeds: Seeds) { rest = Mutex(seeds[...]) }

        func next() -> UInt64? { rest.withLock { $0.popFirst() } }

        func end() { rest.withLock { $0 = $0[$0.endIndex...] } }
    }

    /// Uses a separate thread, because a run executes its own jobs and so blocks its thread.
    static func onThread<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            let thread = Thread { continuation.resume(with: .init { try body() }) }
            thread.stackSize = 8 << 20
            thread.start()
        }
    }
}
