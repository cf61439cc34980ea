import Foundation
import Testing

struct SimulateCommandTests {
    @Test func `one seed gives the same run in every process`() async throws {
        try await withCommand { command in
            let first = try await command.run(["simulate", "--seed", "7", "--trace"])
            #expect(first.status == 0)
            #expect(first.lines.contains { $0.contains("no more faults from here on") })
            #expect(first.output.hasSuffix("All checks passed.\n"))
            let second = try await command.run(["simulate", "--seed", "7", "--trace"])
            #expect(second.output == first.output)
        }
    }

    @Test func `the report of a seed is one object for scripts`() async throws {
        struct Report: Decodable {
            var seed: Int
            var good: Bool
            var faults: [String]
            var counts: [String: Int]
            var replay: String
        }
        try await withCommand { command in
            let result = try await command.run(["simulate", "--seed", "7", "--json"])
            #expect(result.status == 0 && result.lines.count == 1)
            let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
            #expect(report.seed == 7 && report.good && report.faults.isEmpty)
            #expect(report.replay == "apns simulate --seed 7 --trace")
            #expect(report.counts["wakes"] != nil)
        }
    }

    @Test func `many seeds end with their number and their speed`() async throws {
        try await withCommand { command in
            let result = try await command.run(["simulate", "--seeds", "12", "--from", "100", "--threads", "2"])
            #expect(result.status == 0 && result.output.isEmpty)
            #expect(result.errors.contains("12 seeds from 100, 0 failed"))
            #expect(result.errors.contains("seeds/s"))
        }
    }

    @Test(arguments: [
        ["--seed", "1", "--seeds", "2"], [], ["--seeds", "0"], ["--seed", "-1"], ["--seed", "1", "--from", "2"],
        ["--seeds", "2", "--trace"], ["--seeds", "2", "--threads", "0"],
        ["--seeds", "2", "--from", "18446744073709551615"],
    ])
    func `arguments that make no sense are refused`(arguments: [String]) async throws {
        try await withCommand { command in
            let result = try await command.run(["simulate"] + arguments)
            #expect(result.status == 64)
        }
    }
}
