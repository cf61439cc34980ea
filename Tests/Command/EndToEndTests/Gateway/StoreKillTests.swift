import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A gateway with a store that is killed in the middle of its work, again and again.
@Suite(.serialized, .timeLimit(.minutes(60))) struct StoreKillTests {
    private static let rounds = Command.kills
    /// Devices that are not connected, and the one that always is.
    private static let offline = (0..<20).map { String(format: "%08x", $0) }
    private static let listening = "ffffffff"

    private static func batch(_ round: Int) -> String {
        (0..<4000).map { number in
            let token = number.isMultiple(of: 3) ? listening : offline[number % offline.count]
            return #"{"token":"\#(token)","payload":{"aps":{"alert":"\#(round) \#(number)"}}}"# + "\n"
        }.joined()
    }

    /// The ids of the notifications that the sender saw accepted.
    private static func accepted(_ lines: [String]) throws -> [String] {
        try lines.filter { $0.hasSuffix("}") }.map { try JSONText.object($0) }
            .filter { $0["outcome"] as? String == "accepted" }.compactMap { $0["apns-id"] as? String }
    }

    /// The unique ids of the events that a listener received, in order.
    private static func ids(_ lines: [String]) -> [String] {
        // The last one may be cut off; the next listener gets it again.
        lines.filter { $0.hasPrefix("id: ") && $0.utf8.count == "id: ".utf8.count + 36 }.map { String($0.dropFirst(4)) }
    }

    private static func listen(_ gateway: LocalGateway, _ command: Command, after last: String?) throws
        -> RunningCommand
    {
        try RunningCommand(
            URL(fileURLWithPath: "/usr/bin/env"),
            ["curl", "-sN"] + (last.map { ["-H", "Last-Event-ID: \($0)"] } ?? [])
                + [gateway["control"] + "/api/devices/\(listening)/deliveries"],
            in: command.folder)
    }

    @Test func `nothing that a sender saw accepted is lost over many kills, and nothing comes twice`() async throws {
        try await withCommand { command in
            let options = ["--store", "gateway.sqlite", "--retain", "200000", "--retain-bytes", "1000000000"]
            var accepted: [String] = []
            var received: [String] = []
            var killedInTheMiddle = 0
            for round in 0..<StoreKillTests.rounds {
                try command.write(StoreKillTests.batch(round), to: "batch.ndjson")
                let gateway = try await LocalGateway(command, options)
                if round == 0 {
                    let device = #"{"topic":"\#(gateway["topic"])","token":"\#(StoreKillTests.listening)"}"#
                    #expect(try await gateway.call("POST", "/api/devices", device).status == 201)
                }
                let listener = try StoreKillTests.listen(gateway, command, after: received.last)
                try await listener.line(": connected")
                let send = try command.start(
                    ["send", "--batch", "batch.ndjson", "--json", "--timeout", "20"] + gateway.options)
                await send.output.atLeast(1 + round * 97 % 1500)
                gateway.process.send(SIGKILL)
                await gateway.process.status()
                send.send(SIGTERM)
                send.send(SIGINT)
                await send.status()
                _ = await listener.status()
                let lines = await send.output.all().split(separator: "\n").map(String.init)
                let acceptedNow = try StoreKillTests.accepted(lines)
                accepted += acceptedNow
                received += StoreKillTests.ids(await listener.output.all().split(separator: "\n").map(String.init))
                if (1..<4000).contains(acceptedNow.count) { killedInTheMiddle += 1 }
            }
            #expect(killedInTheMiddle > 0)

            let gateway = try await LocalGateway(command, options)
            let listener = try StoreKillTests.listen(gateway, command, after: received.last)
            try await listener.line(": connected")
            let journal = try await gateway.notifications()
            let last = journal.first { $0["token"] as? String == StoreKillTests.listening }
            if let id = last?["apns-unique-id"] as? String, received.last != id { try await listener.line(id) }
            gateway.process.send(SIGKILL)
            await gateway.process.status()
            _ = await listener.status()
            received += StoreKillTests.ids(await listener.output.all().split(separator: "\n").map(String.init))
            check(journal, accepted, received)
            try await checkLives(command, options, journal)
        }
    }

    private func check(_ journal: [[String: Any]], _ accepted: [String], _ received: [String]) {
        var kept: [String: Int] = [:]
        for entry in journal { kept[entry["apns-id"] as? String ?? "", default: 0] += 1 }
        #expect(accepted.filter { kept[$0] == nil } == [], "accepted and not in the journal")
        #expect(kept.values.allSatisfy { $0 == 1 }, "in the journal twice")
        let delivered = journal.reversed().filter { $0["token"] as? String == StoreKillTests.listening }
            .compactMap { $0["apns-unique-id"] as? String }
        #expect(received == delivered, "the listener got \(received.count) of \(delivered.count)")
    }

    /// Every notification that was accepted is delivered, waits, or has its end; and none has two ends.
    private func checkLives(_ command: Command, _ options: [String], _ journal: [[String: Any]]) async throws {
        let gateway = try await LocalGateway(command, options)
        var waiting: [String: Int] = [:]
        let entries = journal.prefix(3000)
        let lives = try await lives(gateway, command, entries.compactMap { $0["apns-unique-id"] as? String })
        #expect(lives.count == entries.count)
        for (entry, life) in zip(entries, lives) {
            let id = entry["apns-unique-id"] as? String ?? ""
            let stages = life.compactMap { $0["stage"] as? String }
            let ends = stages.filter { ["delivered", "replaced", "expired", "dropped"].contains($0) }
            #expect(stages.first == "accepted")
            #expect(ends.count <= 1, "\(id): \(stages)")
            if ends.isEmpty {
                #expect(stages.contains("stored"), "\(id): \(stages)")
                waiting[entry["token"] as? String ?? "", default: 0] += 1
            }
        }
        // Only the newest one waits for each device that is offline.
        #expect(waiting.values.allSatisfy { $0 == 1 }, "\(waiting)")
        await gateway.process.stop()
    }

    /// The life lines of notifications. One curl asks for all of them, on one connection.
    private func lives(_ gateway: LocalGateway, _ command: Command, _ ids: [String]) async throws -> [[[String: Any]]] {
        let calls = ids.map { "url = \"\(gateway["control"])/api/notifications/\($0)\"\n" }.joined()
        try command.write(calls + #"write-out = "\n""#, to: "calls")
        let curl = try RunningCommand(
            URL(fileURLWithPath: "/usr/bin/env"), ["curl", "-s", "--config", "calls"], in: command.folder)
        #expect(await curl.status() == 0)
        return try await curl.output.all().split(separator: "\n").map {
            try JSONText.object($0)["life"] as? [[String: Any]] ?? []
        }
    }
}
