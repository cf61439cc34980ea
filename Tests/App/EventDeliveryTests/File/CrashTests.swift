import EventDelivery
import Foundation
import TestSeeds
import Testing

/// A writing process is killed at any instruction, and its disk fails at any call.
struct FileCrashTests {
    @Test(arguments: TestSeed.all([7]))
    func `what was committed is there after each of 30 kills`(seed: TestSeed) async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("events")
        var random = seed.generator
        var turns: Set<Int64> = []
        var last: Int64 = 0
        for _ in 0..<30 {
            let run = try await CrashWriter(["write", "file", file])
                .runAndKill(microseconds: .random(in: 0...20_000, using: &random))
            #expect(run.wasKilled)
            last = try check(FileEventStore(file: file), atLeast: max(last, run.stored))
            turns.insert(last)
        }
        // If all kills hit the same turn, the test proves nothing.
        #expect(turns.count > 10)
    }

    #if os(Linux)
        @Test(arguments: ["kill", "tear"])
        func `a kill at any call that changes a file loses nothing`(fault: String) async throws {
            // The rewriting begins after some hundred turns, so the calls around it come once in many.
            for number in Array(1...12) + Array(stride(from: 100, through: 260, by: 3)) {
                let folder = try TemporaryFolder()
                let file = folder.file("events")
                let run = try await CrashWriter(["kill", "file", file, fault, String(number)]).run()
                #expect(run.wasKilled || run.value("failed") == "never")
                _ = try check(FileEventStore(file: file), atLeast: run.stored)
            }
        }

        static let faults = ["write", "size"]
    #else
        static let faults = ["size"]
    #endif

    @Test(arguments: faults)
    func `a disk that fails is reported, and what is stored can be read`(fault: String) async throws {
        for number in fault == "size" ? [20_000, 40_001, 60_002] : [1, 2, 50, 51, 200] {
            let folder = try TemporaryFolder()
            let file = folder.file("events")
            let run = try await CrashWriter(["fail", "file", file, fault, String(number)]).run()
            let failure = try #require(run.value("failed"))
            #expect(failure.hasSuffix(fault == "size" ? "[full]" : "[io]"), "\(number): \(failure)")
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
