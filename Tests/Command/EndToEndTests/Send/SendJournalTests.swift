import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@Suite(.serialized, .timeLimit(.minutes(60))) struct SendJournalTests {
    private static func batch(_ count: Int) -> String {
        (0..<count).map { number in
            #"{"token":"\#(String(format: "%08x", number))","payload":{"aps":{"alert":"\#(number)"}}}"# + "\n"
        }.joined()
    }

    private func outcomes(_ text: String) throws -> [String: [String]] {
        var outcomes: [String: [String]] = [:]
        for line in text.split(separator: "\n") {
            let line = try JSONText.object(line)
            outcomes[line["outcome"] as? String ?? "", default: []].append(line["token"] as? String ?? "")
        }
        return outcomes
    }

    @Test func `the same command run again sends nothing twice`() async throws {
        try await withLocalGateway { gateway, command in
            try command.write(SendJournalTests.batch(50), to: "batch.ndjson")
            let arguments =
                ["send", "--batch", "batch.ndjson", "--journal", "sent.journal", "--json"] + gateway.options
            let first = try await command.run(arguments)
            #expect(first.status == 0, "\(first.text)")
            #expect(first.lines.count == 50)
            let second = try await command.run(arguments)
            #expect(second.status == 0, "\(second.text)")
            #expect(second.lines.isEmpty)
            #expect(second.errors.contains("50 had an outcome before"))
            #expect(try await gateway.total() == 50)
            let facts = try FileManager.default.attributesOfItem(
                atPath: command.folder.appendingPathComponent("sent.journal").path)
            #expect(facts[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func `what could not be sent is sent when there is a gateway`() async throws {
        try await withLocalGateway { gateway, command in
            try command.write(SendJournalTests.batch(20), to: "batch.ndjson")
            let arguments = ["send", "--batch", "batch.ndjson", "--journal", "sent.journal", "--json"]
            _ = try await gateway.call("POST", "/api/faults", #"{"effect":{"reset":7},"count":100000}"#)
            let first = try await command.run(arguments + ["--timeout", "1"] + gateway.options)
            #expect(first.status != 0)
            _ = try await gateway.call("DELETE", "/api/faults")
            let second = try await command.run(arguments + ["--resend-unknown"] + gateway.options)
            #expect(second.status == 0, "\(second.text)")
            let accepted = try await gateway.total("&outcome=accepted")
            #expect(accepted == 20)
        }
    }

    @Test func `a sender that is killed again and again sends everything, and nothing twice unasked`() async throws {
        try await withLocalGateway(["--retain", "200000"]) { gateway, command in
            let count = 20_000
            try command.write(SendJournalTests.batch(count), to: "batch.ndjson")
            let arguments =
                ["send", "--batch", "batch.ndjson", "--journal", "sent.journal", "--json"] + gateway.options
            var listed: Set<String> = []
            for round in 0..<Command.kills {
                let send = try command.start(arguments)
                await send.output.atLeast(1 + round * 131 % 700)
                send.send(SIGKILL)
                await send.status()
            }
            let last = try await command.run(arguments)
            let unknown = Set(try outcomes(last.output)["unknown"] ?? [])
            listed.formUnion(unknown)
            #expect(last.status == (unknown.isEmpty ? 0 : 1), "\(last.errors)")
            let journal = try await gateway.notifications()
            var times: [String: Int] = [:]
            for entry in journal { times[entry["token"] as? String ?? "", default: 0] += 1 }
            #expect(times.values.allSatisfy { $0 == 1 }, "sent twice")
            let missing = (0..<count).map { String(format: "%08x", $0) }.filter { times[$0] == nil }
            #expect(Set(missing).isSubset(of: listed), "neither sent nor listed as unknown")

            let resent = try await command.run(arguments + ["--resend-unknown"])
            #expect(resent.status == 0, "\(resent.errors)")
            let all = try await gateway.notifications()
            var ids: [String: Set<String>] = [:]
            for entry in all {
                ids[entry["token"] as? String ?? "", default: []].insert(entry["apns-id"] as? String ?? "")
            }
            #expect(ids.count == count)
            #expect(ids.values.allSatisfy { $0.count == 1 }, "a resent one has another apns-id")
        }
    }

    @Test func `an incomplete last line is removed, and its notification is unknown`() async throws {
        try await withLocalGateway { gateway, command in
            try command.write(SendJournalTests.batch(3), to: "batch.ndjson")
            let arguments =
                ["send", "--batch", "batch.ndjson", "--journal", "sent.journal", "--json"] + gateway.options
            _ = try await command.run(arguments)
            let file = command.folder.appendingPathComponent("sent.journal")
            var text = try String(contentsOf: file, encoding: .utf8)
            text.removeLast(7)
            try command.write(text, to: "sent.journal")
            let again = try await command.run(arguments)
            #expect(again.errors.contains("incomplete line, which was removed"))
            // Any of the three may have been answered last.
            #expect(try outcomes(again.output).mapValues(\.count) == ["unknown": 1], "\(again.text)")
            #expect(again.status == 1)
        }
    }

    @Test func `a journal on a full disk is named once, and has no outcome of what it did not begin`() async throws {
        try await withLocalGateway { gateway, command in
            try command.write(SendJournalTests.batch(50), to: "batch.ndjson")
            let arguments = ["send", "--batch", "batch.ndjson", "--journal", "sent.journal"] + gateway.options
            // The first line fits into a block, and those of 50 notifications do not.
            let line = (["apns"] + arguments).map { "'\($0)'" }.joined(separator: " ")
            let full = try await command.shell("trap '' XFSZ; ulimit -f 1; exec \(line)")
            #expect(full.status == 2, "\(full.text)")
            #expect(full.errors.contains("Error: sent.journal cannot be written: "), "\(full.errors)")
            #expect(full.errors.contains("50 not read"), "\(full.errors)")
            #expect(!full.errors.contains("Outcomes are missing"), "\(full.errors)")
            let again = try await command.run(arguments)
            #expect(again.status == 0, "\(again.text)")
            #expect(again.errors.contains("50 accepted"), "\(again.errors)")
        }
    }

    @Test func `the journal of another batch, of another gateway and no journal at all are refused`() async throws {
        try await withLocalGateway { gateway, command in
            try command.write(SendJournalTests.batch(3), to: "batch.ndjson")
            try command.write(SendJournalTests.batch(4), to: "other.ndjson")
            try command.write("# Shopping\n- milk\n", to: "list.md")
            func send(_ batch: String, _ journal: String, _ options: [String]) async throws -> Command.Result {
                try await command.run(["send", "--batch", batch, "--journal", journal] + options)
            }
            #expect(try await send("batch.ndjson", "sent.journal", gateway.options).status == 0)
            let other = try await send("other.ndjson", "sent.journal", gateway.options)
            #expect(other.status == 2)
            #expect(other.errors.contains("of another batch"))
            let second = try await LocalGateway(command)
            let elsewhere = try await send("batch.ndjson", "sent.journal", second.options)
            #expect(elsewhere.status == 2)
            #expect(elsewhere.errors.contains("is for the gateway"))
            await second.process.stop()
            let list = try await send("batch.ndjson", "list.md", gateway.options)
            #expect(list.status == 2)
            #expect(list.errors.contains("list.md:1:"))
            #expect(
                try String(contentsOf: command.folder.appendingPathComponent("list.md"), encoding: .utf8)
                    == "# Shopping\n- milk\n")
            #expect(try await gateway.total() == 3)
        }
    }

    @Test func `a journal needs something that can be read twice`() async throws {
        try await withCommand { command in
            let result = try await command.run(["send", "--batch", "-", "--journal", "sent.journal"])
            #expect(result.status == 64)
            #expect(
                try await command.run(["send", "--token", "ab12", "--alert", "x", "--resend-unknown"]).status == 64)
            #expect(try await command.run(["send", "--token", "ab12", "--alert", "x", "--rate", "0"]).status == 64)
        }
    }

    @Test func `a rate is kept`() async throws {
        try await withLocalGateway { gateway, command in
            try command.write(SendJournalTests.batch(30), to: "batch.ndjson")
            let start = ContinuousClock.now
            let result = try await command.run(["send", "--batch", "batch.ndjson", "--rate", "40"] + gateway.options)
            #expect(result.status == 0, "\(result.text)")
            // The last of 30 is due 29 steps behind the first; a busy machine may take longer, and never less.
            #expect(ContinuousClock.now - start >= .milliseconds(29 * 25))
        }
    }
}
