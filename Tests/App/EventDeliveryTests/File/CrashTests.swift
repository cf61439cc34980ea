import EventDelivery
import Foundation
import TestSeeds
import Testing

/// A writing process is killed at any instruction, and its disk fails at any call.
@Suite(.timeLimit(.minutes(2)))
struct FileCrashTests {
    // APNS_SEEDS=100 tries a hundred times as many kills.
    @Test(arguments: TestSeed.all([7]))
    func `what was committed is there after each of 8 kills`(seed: TestSeed) async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("events")
        var random = seed.generator
        var last: Int64 = 0
        for _ in 0..<8 {
            let run = try await CrashWriter(["write", "file", file])
                .runAndKill(afterTurns: .random(in: 0...120, using: &random), .random(in: 0...1_000, using: &random))
            #expect(run.wasKilled)
            last = try check(FileEventStore(file: file), atLeast: max(last, run.stored))
        }
        #expect(last > 8)
    }

    #if os(Linux)
        @Test(arguments: TestSeed.all([3]))
        func `a kill at any call that changes a file loses nothing`(seed: TestSeed) async throws {
            var random = seed.generator
            // The rewriting begins after some hundred turns, so the calls around it come once in many.
            let numbers =
                Array((1...12).shuffled(using: &random).prefix(4))
                + Array((100...260).shuffled(using: &random).prefix(6))
            var torn = 0
            for (index, number) in numbers.enumerated() {
                let fault = index % 2 == 0 ? "kill" : "tear"
                let folder = try TemporaryFolder()
                let file = folder.file("events")
                let run = try await CrashWriter(["kill", "file", file, fault, String(number)]).run()
                // A call that is not a write cannot be torn.
                #expect(run.wasKilled || fault == "tear" && run.value("failed") == "never")
                if fault == "tear", run.wasKilled { torn += 1 }
                _ = try check(FileEventStore(file: file), atLeast: run.stored)
            }
            #expect(torn > 0)
        }

        static let faults = ["write", "size", "sync"]
    #else
        static let faults = ["size"]
    #endif

    @Test(arguments: faults)
    func `a disk that fails is reported, and what is stored can be read`(fault: String) async throws {
        for number in ["size": [20_000, 40_001], "write": [1, 50, 51], "sync": [1, 40]][fault] ?? [] {
            let folder = try TemporaryFolder()
            let file = folder.file("events")
            let store = fault == "sync" ? "file-synchronized" : "file"
            let run = try await CrashWriter(["fail", store, file, fault, String(number)]).run()
            let failure = try #require(run.value("failed"))
            #expect(failure.hasSuffix(fault == "size" ? "[full]" : "[io]"), "\(number): \(failure)")
            // Each turn waits for the disk.
            if fault == "sync" { #expect(run.stored == Int64(number) - 1) }
            let read = try #require(run.value("read").flatMap { Int64($0) })
            #expect(read == run.stored)
            #expect(try check(FileEventStore(file: file), atLeast: run.stored) == run.stored)
        }
    }
}

/// Checks that a store has what turns up to some number leave, as the crash writer writes them.
///
/// - Returns: The last turn.
func check(_ store: some EventStore, atLeast stored: Int64) throws -> Int64 {
    let contents = try store.load()
    #expect(contents.recovery == nil)
    var turns: [Int64] = []
    try store.readAll { turns.append($0.sequence) }
    let last = turns.last ?? 0
    // A turn that was committed and not reported may be there too.
    #expect(last == stored || last == stored + 1)
    let state = contents.state.flatMap { Int64(String(decoding: $0, as: UTF8.self)) } ?? 0
    #expect(last == 0 || state == (last % 2 == 1 ? last : last - 1), "the state belongs to the last odd turn")
    #expect(turns == Array(max(1, last == 0 ? 1 : state - 3)...max(1, last)) || last == 0)
    #expect(try store.events(turns).count == turns.count)
    return last
}
