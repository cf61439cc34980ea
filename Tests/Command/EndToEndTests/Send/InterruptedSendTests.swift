import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Bulk sends that are ended, or whose gateway is, while they run.
@Suite(.serialized, .timeLimit(.minutes(10))) struct InterruptedSendTests {
    /// What the lines of `send --json` say, by `apns-id`.
    private struct Results {
        var outcomes: [String: [String]] = [:]
        var lineCount = 0

        init(_ lines: [String]) throws {
            for line in lines {
                let line = try JSONText.object(line)
                let id = (line["apns-id"] as? String ?? "").lowercased()
                outcomes[line["outcome"] as? String ?? "", default: []].append(id)
                lineCount += 1
            }
        }

        subscript(outcome: String) -> Set<String> { Set(outcomes[outcome] ?? []) }
        func count(_ outcome: String) -> Int { outcomes[outcome]?.count ?? 0 }
        var summary: String {
            "\(lineCount) notifications in "
        }
        var counts: String {
            "\(count("accepted")) accepted, \(count("refused")) refused, \(count("unsent")) unsent, "
                + "\(count("unknown")) unknown"
        }
    }

    private static func id(_ number: Int) -> String { String(format: "00000000-0000-4000-8000-%012x", number) }

    private static func lines(_ numbers: Range<Int>) -> String {
        numbers.map { number in
            #"{"token":"\#(String(format: "%064x", number))","apns-id":"\#(id(number))","payload":{"aps":{"alert":1}}}"#
                + "\n"
        }
        .joined().replacingOccurrences(of: #""alert":1"#, with: #""alert":"Hi""#)
    }

    private static func ids(_ gateway: LocalGateway) async throws -> [String] {
        try await gateway.notifications().compactMap { ($0["apns-id"] as? String)?.lowercased() }
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a signal ends a send from an open pipe with exact counts`(signal: Int32) async throws {
        try await withLocalGateway(["--retain", "30000"]) { gateway, command in
            let send = try command.start(["send", "--batch", "-", "--json"] + gateway.options, hasInput: true)
            send.feed(InterruptedSendTests.lines(0..<5000))
            await send.output.atLeast(100)
            send.send(signal)
            #expect(await send.status() == 1)
            let errors = await send.errors.all()
            _ = await send.output.all()
            let results = try Results(send.output.lines)
            #expect(errors.contains("Stopping"), "\(errors)")
            #expect(errors.contains(results.summary) && errors.contains(results.counts), "\(errors)")
            #expect(errors.contains("the rest of the input not read"), "\(errors)")
            #expect(results["accepted"].count == results.count("accepted"))
            let seen = try await InterruptedSendTests.ids(gateway)
            #expect(Set(seen).count == seen.count)
            #expect(results["accepted"].isSubset(of: seen))
            #expect(Set(seen).subtracting(results["accepted"]).isSubset(of: results["unknown"]))
            send.endInput()
        }
    }

    @Test func `a second signal ends a send whose results nobody reads`() async throws {
        try await withLocalGateway(["--retain", "30000"]) { gateway, command in
            try command.write(InterruptedSendTests.lines(0..<5000), to: "batch.ndjson")
            var (reading, writing): (Int32, Int32) = (-1, -1)
            let send = try command.start(["send", "--batch", "batch.ndjson", "--json"] + gateway.options) {
                let pipe = try ChildProcess.pipe()
                (reading, writing) = (pipe.reading, ChildProcess.copy(of: pipe.writing))
                return pipe.writing
            }
            defer { for descriptor in [reading, writing] { close(descriptor) } }
            while !ChildProcess.isFull(writing) { await Task.yield() }
            send.send(SIGINT)
            try await send.errorLine("Stopping")
            send.send(SIGTERM)
            #expect(await send.status() == 1)
        }
    }

    /// The number before these words; nil where there is none.
    private static func number(before words: String, in text: String) throws -> Int? {
        let pattern: Regex<AnyRegexOutput> = try Regex("([0-9]+) \(words)")
        return text.firstMatch(of: pattern).flatMap { $0.output[1].substring }.flatMap { Int($0) }
    }

    @Test(arguments: [false, true])
    func `after a second signal every line of a file is in exactly one count`(hasJournal: Bool) async throws {
        try await withLocalGateway { gateway, command in
            _ = try await gateway.call("POST", "/api/faults", #"{"effect":{"silence":true},"count":100000}"#)
            // More than are taken at a time, and few enough that the rest is counted within the second that there is for it.
            let all = 2000
            try command.write(InterruptedSendTests.lines(0..<all), to: "batch.ndjson")
            let arguments =
                ["send", "--batch", "batch.ndjson", "--json"] + (hasJournal ? ["--journal", "sent.journal"] : [])
                + gateway.options
            let send = try command.start(arguments)
            while try await gateway.total() == 0 { await Task.yield() }
            send.send(SIGINT)
            try await send.errorLine("Stopping")
            send.send(SIGTERM)
            #expect(await send.status() == 1)
            let errors = await send.errors.all()
            _ = await send.output.all()
            let notRead = try Self.number(before: "not read", in: errors) ?? 0
            let open = try Self.number(before: "more ha(ve|s) no outcome", in: errors) ?? 0
            #expect(open > 0 && send.output.lines.count + notRead + open == all, "\(errors)")
            guard hasJournal else { return }
            _ = try await gateway.call("DELETE", "/api/faults")
            let next = try await command.run(arguments)
            let counts = "\(all - open) accepted, 0 refused, 0 unsent, \(open) unknown"
            #expect(next.errors.contains(counts), "\(next.errors)")
        }
    }

    @Test func `after a signal every line of a file is in exactly one count, bad ones too`() async throws {
        try await withLocalGateway(["--retain", "30000"]) { gateway, command in
            var lines = InterruptedSendTests.lines(0..<5000).split(separator: "\n").map(String.init)
            for number in stride(from: 7, to: 5000, by: 100) { lines[number] = "{bad" }
            try command.write(lines.joined(separator: "\n") + "\n", to: "batch.ndjson")
            let send = try command.start(
                ["send", "--batch", "batch.ndjson", "--json", "--rate", "1000"] + gateway.options)
            await send.output.atLeast(300)
            send.send(SIGINT)
            #expect(await send.status() == 1)
            let errors = await send.errors.all()
            _ = await send.output.all()
            var counts: [String: Int] = [:]
            for name in ["accepted", "refused", "unsent", "unknown", "bad lines", "not read"] {
                let pattern: Regex<AnyRegexOutput> = try Regex("([0-9]+) \(name)")
                guard let match = errors.firstMatch(of: pattern) else { continue }
                counts[name] = match.output[1].substring.flatMap { Int($0) }
            }
            #expect(counts.values.reduce(0, +) == 5000, "\(counts) \(errors)")
            let objects = try send.output.lines.map { try JSONText.object($0) }
            let bad = objects.filter { $0["error"] as? String == "bad-line" }
            #expect(bad.count == counts["bad lines"])
            #expect(
                bad.allSatisfy { (($0["line"] as? Int ?? 0) - 8) % 100 == 0 && $0["outcome"] as? String == "unsent" })
            #expect(objects.allSatisfy { $0["line"] is Int })
        }
    }

    @Test func `a gateway that is killed and comes back leaves each line one outcome and no line twice`() async throws {
        try await withCommand { command in
            let first = try await LocalGateway.restartable(command)
            let send = try command.start(
                ["send", "--batch", "-", "--json", "--connections", "2", "--timeout", "300"] + first.options,
                hasInput: true)
            let before = 4000
            send.feed(InterruptedSendTests.lines(0..<before))
            await send.output.atLeast(200)
            let acceptedBefore = try Results(send.output.lines)["accepted"]
            first.process.send(SIGKILL)
            await first.process.status()
            let second = try await LocalGateway.again(after: first, command, ["--retain", "30000"])
            let all = before + 500
            send.feed(InterruptedSendTests.lines(before..<all))
            send.endInput()
            let status = await send.status()
            let errors = await send.errors.all()
            _ = await send.output.all()
            let results = try Results(send.output.lines)
            #expect(errors.contains(results.counts), "\(errors)")
            #expect(results.lineCount == all, "\(errors)")
            // What waits while the gateway is gone is sent to the next one.
            #expect(results.count("unsent") == 0, "\(errors)")
            #expect(Set(results.outcomes.values.joined()).count == all)
            #expect(status == (results.count("accepted") == all ? 0 : 1), "\(errors)")
            let seen = try await InterruptedSendTests.ids(second)
            #expect(Set(seen).count == seen.count)
            #expect(acceptedBefore.isDisjoint(with: seen))
            #expect(Set(seen).isSubset(of: results["accepted"].union(results["unknown"])))
            await second.process.stop()
        }
    }

    @Test func `a gateway that comes back between two lines of the input is sent to again`() async throws {
        try await withCommand { command in
            let first = try await LocalGateway.restartable(command)
            let send = try command.start(["send", "--batch", "-", "--json"] + first.options, hasInput: true)
            send.feed(InterruptedSendTests.lines(0..<100))
            await send.output.atLeast(100)
            first.process.send(SIGKILL)
            await first.process.status()
            let second = try await LocalGateway.again(after: first, command, ["--retain", "30000"])
            send.feed(InterruptedSendTests.lines(100..<200))
            send.endInput()
            #expect(await send.status() == 0)
            let errors = await send.errors.all()
            #expect(errors.contains("200 accepted, 0 refused, 0 unsent, 0 unknown"), "\(errors)")
            #expect(try await second.total() == 100)
            await second.process.stop()
        }
    }

    @Test func `a gateway that is killed for good leaves each line one outcome`() async throws {
        try await withCommand { command in
            let gateway = try await LocalGateway(command)
            try command.write(InterruptedSendTests.lines(0..<5000), to: "batch.ndjson")
            let send = try command.start(
                ["send", "--batch", "batch.ndjson", "--json", "--timeout", "5"] + gateway.options)
            await send.output.atLeast(100)
            gateway.process.send(SIGKILL)
            let status = await send.status()
            let errors = await send.errors.all()
            _ = await send.output.all()
            let results = try Results(send.output.lines)
            #expect(results.lineCount == 5000, "\(errors)")
            #expect(errors.contains(results.counts), "\(errors)")
            #expect(status == (results.count("accepted") == 5000 ? 0 : 1))
            await gateway.process.status()
        }
    }
}
