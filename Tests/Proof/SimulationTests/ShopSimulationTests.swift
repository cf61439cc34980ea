import SimulationSQLite
import Synchronization
import TestSeeds
import Testing

@testable import Simulation

/// The world of personalization. Few seeds; `apns-seeds personalization FIRST COUNT` runs thousands, and `APNS_SEED` and
/// `APNS_SEEDS` give these tests others.
struct ShopSimulationTests {
    /// They have every kind of event among them, and every kind of store.
    private static let seeds: [UInt64] = Array(1...80) + [141, 298]

    @Test func `no seed violates an invariant, and every kind of event happens in some seed`() async throws {
        let found = Mutex<[String]>([])
        let sum = Mutex<[SimulationReport.Kind: Int]>([:])
        let seeds = TestSeed.all(Self.seeds).map(\.value)
        try await Simulation.run(seeds: seeds, worlds: [.personalization], threads: 2, files: .sqlite()) { report in
            sum.withLock { $0.merge(report.counts, uniquingKeysWith: +) }
            if let violation = report.violations.first {
                found.withLock {
                    $0.append("apns simulate --seed \(report.seed) --world personalization --trace: \(violation)")
                }
            }
            return true
        }
        #expect(found.withLock { $0 }.isEmpty)
        // A few others need not have every kind.
        guard seeds.count >= Self.seeds.count else { return }
        let counts = sum.withLock { $0 }
        for kind in SimulationReport.Kind.allCases where kind.worlds.contains(.personalization) {
            #expect(counts[kind, default: 0] > 0, "\(kind.rawValue)")
        }
    }

    @Test func `the same seed gives the same trace`() async throws {
        // Memory, a log and SQLite.
        for seed in TestSeed.all([3, 5, 10]) {
            let first = try await Simulation.run(
                seed: seed.value, worlds: [.personalization], recordsTrace: true, files: .sqlite())
            let second = try await Simulation.run(
                seed: seed.value, worlds: [.personalization], recordsTrace: true, files: .sqlite())
            let difference = zip(first.trace, second.trace).first { $0 != $1 }.map { "\($0.0) | \($0.1)" }
            #expect(difference == nil, "\(seed)")
            #expect(first.trace.count == second.trace.count, "\(seed)")
            #expect(first.jobs == second.jobs)
            #expect(first.counts == second.counts)
        }
    }

    @Test func `all worlds of a seed are one report`() async throws {
        let all = try await Simulation.run(seed: 3, recordsTrace: true, files: nil)
        var parts: [SimulationReport] = []
        for world in SimulatedWorld.allCases {
            parts.append(try await Simulation.run(seed: 3, worlds: [world], recordsTrace: true, files: nil))
        }
        #expect(all.worlds == [.records, .personalization, .optimization])
        #expect(all.trace == parts.flatMap(\.trace))
        #expect(all.jobs == parts.map(\.jobs).reduce(0, +))
        #expect(all.counts == parts.reduce(into: [:]) { $0.merge($1.counts, uniquingKeysWith: +) })
    }
}

struct PossibleTests {
    @Test func `a call that is under way leaves two possibilities, and one after its end`() {
        var value = Possible("a")
        value.begin("b", at: 1)
        #expect(value.values == ["a", "b"])
        value.end("b", isStored: true, at: 5)
        #expect(value.values == ["b"])
        #expect(value.during(5) == ["a", "b"])
        #expect(value.during(6) == ["b"])
    }

    @Test func `what is not stored may be gone in the next process`() {
        var value = Possible("a")
        value.begin("b", at: 1)
        value.end("b", isStored: false, at: 2)
        #expect(value.values == ["b"])
        value.killed(at: 3)
        #expect(value.values == ["a", "b"])
        let isPossible = value.found("a", at: 4)
        #expect(isPossible)
        #expect(value.values == ["a"])
        let isOther = value.found("c", at: 5)
        #expect(!isOther)
    }
}

struct SessionModelTests {
    private func active(timeout: Int64 = 10) -> SessionModel {
        var model = SessionModel(timeout: timeout)
        model.processStarted()
        model.becameActive(at: 0)
        return model
    }

    @Test func `a session keeps its id while it lasts`() {
        var model = active()
        #expect(model.note("a", in: model.number) == nil)
        model.enteredBackground(at: 5)
        model.checkTime(at: 14)
        #expect(model.note("a", in: model.number) == nil)
        #expect(model.note("b", in: model.number) != nil)
    }

    @Test func `a session ends in the background, and for another user`() {
        var model = active()
        #expect(model.note("a", in: model.number) == nil)
        model.enteredBackground(at: 5)
        model.becameActive(at: 15)
        #expect(model.note("a", in: model.number) != nil)
        #expect(model.note("b", in: model.number) == nil)
        model.userChanged(isSurelyOther: true)
        #expect(model.note("b", in: model.number) != nil)
    }
}
