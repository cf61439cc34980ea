import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@Suite(.serialized, .timeLimit(.minutes(10))) struct DemoTests {
    private static func isRunning(_ process: Int32) -> Bool { kill(process, 0) == 0 }

    private static func deviceProcess(_ line: String) throws -> Int32 {
        try #require(line.split(separator: ",").first?.split(separator: " ").last.flatMap { Int32($0) })
    }

    @Test func `a change arrives in the device's store, step by step, and nothing is left behind`() async throws {
        try await withCommand { command in
            let result = try await command.run(["demo", "--short"])
            #expect(result.status == 0, "\(result.text)")
            let steps = result.lines.compactMap { line in
                line.contains(" ms  ") ? line.split(separator: " ").dropFirst(2).first.map { String($0) } : nil
            }
            #expect(
                steps == [
                    "change", "trigger", "check", "send", "gateway", "deliver", "dispatch", "fetch", "merge", "store",
                    "result",
                ])
            #expect(result.output.contains("POST /services/data/v66.0/composite/sobjects/Account: 200"))
            #expect(result.output.contains("newData to the system, "))
            let milliseconds = try #require(result.output.split(separator: "newData to the system, ").last)
            #expect(milliseconds.split(separator: " ")[0].split(separator: ".").last?.utf8.count == 1)
            #expect(!result.errors.lowercased().contains("error"), "\(result.errors)")
            #expect(!result.text.contains("\u{1B}"))
            #expect(result.output.contains("  apns gateway  "))
            let device = try #require(result.lines.first { $0.contains("device   process") })
            let process = try DemoTests.deviceProcess(String(device))
            #expect(!DemoTests.isRunning(process))
        }
    }

    @Test func `the hard cases end with both stores as the CRM has them`() async throws {
        try await withCommand { command in
            let result = try await command.run(["demo"])
            #expect(result.status == 0, "\(result.text)")
            let all = result.lines.map { String($0) }
            func lines(after scene: String) -> [String] {
                all.drop { !$0.hasPrefix("  \(scene)") }.dropFirst().prefix { $0.hasPrefix("        ") }
                    .map { $0.drop { $0 == " " } }.map { String($0) }
            }
            #expect(lines(after: "offline").first == "phone   3 × newData")
            #expect(lines(after: "offline").dropFirst().first?.hasPrefix("tablet  newData: ") == true)
            #expect(lines(after: "offline").last?.contains(" 410, ") == true)
            #expect(lines(after: "bulk save").first?.hasPrefix("refused, and no record is changed: ") == true)
            #expect(lines(after: "burst").last?.hasPrefix("6 pushes for both; ") == true)
            #expect(lines(after: "force-quit").dropFirst().first?.hasPrefix("tablet  nothing: ") == true)
            #expect(lines(after: "force-quit").last?.hasPrefix("tablet  newData once ") == true)
            #expect(lines(after: "session").first == "phone   newData, 1 refresh of the session")
            #expect(lines(after: "own edit").first == "phone   noData, the edit stays: Type is Partner")
            let ends = lines(after: "regular sync")
            #expect(ends.count == 2)
            #expect(ends.allSatisfy { $0.hasSuffix("now all are") })
            #expect(all.contains { $0.contains("polling every 15 minutes for a day") && $0.contains(" requests, ") })
            #expect(!result.errors.lowercased().contains("error"), "\(result.errors)")
        }
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a signal ends it without leaving the device behind`(signal: Int32) async throws {
        try await withCommand { command in
            let demo = try command.start(["demo", "--short"])
            let device = try DemoTests.deviceProcess(try await demo.line("device   process"))
            demo.send(signal)
            // It may have been done by then.
            #expect([0, 1].contains(await demo.status()))
            #expect(!DemoTests.isRunning(device))
        }
    }

    @Test func `it names the command as it was called, also without standard input, output or errors`() async throws {
        try await withCommand { command in
            let result = try await command.run(
                ["demo", "--short"], environment: ["APNS_COMMAND": "tools/apns", "NO_COLOR": "1"])
            #expect(result.output.contains("  tools/apns send --help"), "\(result.text)")
            #expect(try await command.shell("apns demo --short <&-").status == 0)
            let first = try await command.shell("apns demo --short | head -1")
            #expect(!first.errors.lowercased().contains("error"), "\(first.errors)")
        }
    }
}
