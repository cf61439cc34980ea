import Foundation
import Synchronization

/// Simulates the whole product on virtual time: sender, gateway, devices and org on one thread, with every choice made
/// from one seed.
package enum Simulation {
    /// Runs one seed to its end. The same seed gives the same run.
    ///
    /// - Parameters:
    ///   - recordsTrace: Whether the report contains the trace, which takes time to write.
    ///   - files: The files in which every tenth seed stores what its devices have; nil for memory only. That is another run.
    package static func run(
        seed: UInt64, recordsTrace: Bool = false, files: SimulationFiles?
    ) async throws -> SimulationReport {
        try await onThread { try Run(seed: seed, recordsTrace: recordsTrace, files: files).simulate() }
    }

    /// Runs many seeds, some at a time.
    ///
    /// - Parameter report: Called in no fixed order, on the thread of the run; returning false ends all runs.
    package static func run<Seeds: Collection<UInt64> & Sendable>(
        seeds: Seeds, threads: Int, files: SimulationFiles?,
        report: @escaping @Sendable (SimulationReport) -> Bool
    ) async throws where Seeds.SubSequence: Sendable {
        let queue = SeedQueue(seeds)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<max(1, threads) {
                group.addTask {
                    try await onThread {
                        while let seed = queue.next() {
                            if !report(try Run(seed: seed, recordsTrace: false, files: files).simulate()) {
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
