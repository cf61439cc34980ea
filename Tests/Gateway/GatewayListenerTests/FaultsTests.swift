import APNSModel
import APNSProvider
import GatewayCore
import GatewayServer
import GatewayTestSupport
import GatewayTesting
import HTTP2Session
import Testing

/// Fault rules over TLS. The requests of `victim` are hit, those of `other` are not.
@Suite(.timeLimit(.minutes(10)))
struct FaultsTests {
    private static let victim = FaultLine.victim
    private static let other = FaultLine.other

    /// A gateway with one fault rule for `victim`, and a connection on which stream 1 was accepted.
    private func withFault(
        _ effect: String, _ more: String = "", clock: TestGateway.Clock = .real,
        _ body: (TestGateway, FaultLine, inout FaultLine.Events) async throws -> Void
    ) async throws {
        try await withFaults(FaultLine.rule(effect, more), clock: clock) { gateway in
            let (line, opened, _) = try await FaultLine.open(gateway)
            var events = opened
            try await body(gateway, line, &events)
            try await line.sender.close()
        }
    }

    private func newest(_ gateway: TestGateway) async throws -> [String: Any] {
        let journal = try await gateway.control.call("GET", "/api/notifications").json
        return try #require((journal["notifications"] as? [[String: Any]])?.first)
    }

    // MARK: Answers

    @Test func `a delayed answer comes when the world's clock says so, and is judged before`() async throws {
        try await withFault(#"{"delay":"40s"}"#, clock: .manual()) { gateway, line, events in
            try await line.send(to: Self.victim)
            try await line.send(to: Self.other)
            let (_, before) = await line.sender.answer(on: 5, &events)
            #expect(before.isEmpty)
            #expect(gateway.deliveries(to: Self.victim).count == 1)
            #expect(try await newest(gateway)["fault"] == nil)
            gateway.advance(by: .milliseconds(39_999))
            try await line.send(to: Self.other)
            #expect(await line.sender.answer(on: 7, &events).before.filter(\.isHead).isEmpty)
            gateway.advance(by: .milliseconds(1))
            let (answer, _) = await line.sender.answer(on: 3, &events)
            #expect(answer.headers.first == ":status: 200")
            let uniqueID = try #require(gateway.deliveries(to: Self.victim).first?.uniqueID)
            #expect(answer.headers.last == "apns-unique-id: \(uniqueID)")
            let entry = try await gateway.control.call("GET", "/api/notifications/\(uniqueID)").json
            #expect((entry["fault"] as? [String: String])?["id"] == "1")
            #expect(entry["outcome"] as? String == "accepted")
        }
    }

    @Test func `a delayed answer waits for none that is due behind it, and follows a clock that is moved`() async throws
    {
        try await withFault(#"{"delay":"1h"}"#, #","count":1"#) { gateway, line, events in
            let second = #"{"match":{"token":"\#(Self.victim)"},"effect":{"delay":"10ms"}}"#
            _ = try await gateway.control.call("POST", "/api/faults", second)
            for _ in 0..<2 { try await line.send(to: Self.victim) }
            #expect(await rest(of: &events, until: .end(5)).filter(\.isHead).count == 1)
            gateway.advance(by: .seconds(3600))
            #expect(await line.sender.answer(on: 3, &events).answer.headers.first == ":status: 200")
        }
    }

    @Test func `a thousand delayed answers go to their own streams`() async throws {
        try await withFault(#"{"delay":{"uniform":["1ms","80ms"]}}"#) { gateway, line, events in
            let ids = (0..<999).map { "9d1f0a52-1111-4222-8333-\(String(100_000_000_000 + $0))" }
            for id in ids {
                let fields = gateway.fields(like: line.fields, to: Self.victim, id: id)
                try await line.sender.submit(fields, body: silent)
            }
            var heads: [Int32: String] = [:]
            while heads.count < ids.count, let event = await events.next() {
                if case .head(let stream, let headers) = event { heads[stream] = headers[1] }
            }
            for (index, id) in ids.enumerated() { #expect(heads[Int32(3 + 2 * index)] == "apns-id: \(id)") }
        }
    }

    @Test func `a reset lets go what is held back`() async throws {
        try await withFault(#"{"delay":"1h"}"#, clock: .manual()) { gateway, line, events in
            try await line.send(to: Self.victim)
            try await line.send(to: Self.other)
            _ = await line.sender.answer(on: 5, &events)
            #expect(try await gateway.control.call("POST", "/api/reset").status == 204)
            #expect(await line.sender.answer(on: 3, &events).answer.headers.first == ":status: 200")
            #expect(try await gateway.control.call("GET", "/api/faults").body == #"{"faults":[]}"#)
        }
    }

    @Test func `a refusal stands in for the verdict`() async throws {
        try await withFault(#"{"refuse":{"reason":"TooManyRequests"}}"#) { gateway, line, events in
            try await line.send(to: Self.victim)
            let (answer, _) = await line.sender.answer(on: 3, &events)
            #expect(answer.headers.first == ":status: 429")
            #expect(answer.body == #"{"reason":"TooManyRequests"}"#)
            #expect(gateway.deliveries(to: Self.victim).isEmpty)
        }
    }

    // MARK: No answers

    @Test(arguments: [("true", "unprocessed", 0), (#""after""#, "accepted", 1)])
    func `silence leaves a stream without an answer`(value: String, outcome: String, deliveries: Int) async throws {
        try await withFault(#"{"silence":\#(value)}"#) { gateway, line, events in
            try await line.send(to: Self.victim)
            try await line.sender.ping()
            let before = await rest(of: &events, until: .pingAcknowledged)
            #expect(before == [.pingAcknowledged])
            let entry = try await newest(gateway)
            #expect(entry["outcome"] as? String == outcome)
            #expect(gateway.deliveries(to: Self.victim).count == deliveries)
        }
    }

    @Test(arguments: [("8", "unprocessed", 0), (#"{"code":8,"after":true}"#, "accepted", 1)])
    func `a reset takes the place of an answer`(value: String, outcome: String, deliveries: Int) async throws {
        try await withFault(#"{"reset":\#(value)}"#) { gateway, line, events in
            try await line.send(to: Self.victim)
            let seen = await rest(of: &events, until: .closed(3, .cancel))
            #expect(seen.last == .closed(3, .cancel))
            #expect(!seen.contains { $0.isHead })
            let entry = try await newest(gateway)
            #expect(entry["outcome"] as? String == outcome)
            #expect((entry["fault"] as? [String: String])?["why"]?.contains("code 8") == true)
            #expect(entry["status"] is Int == (outcome == "accepted"))
            #expect(gateway.deliveries(to: Self.victim).count == deliveries)
            try await line.send(to: Self.other)
            #expect(await line.sender.answer(on: 5, &events).answer.headers.first == ":status: 200")
        }
    }

    @Test(arguments: [("true", 0), (#""after""#, 1)])
    func `a cut connection says nothing more`(value: String, deliveries: Int) async throws {
        try await withFault(#"{"disconnect":\#(value)}"#) { gateway, line, events in
            try await line.send(to: Self.victim)
            let seen = await rest(of: &events)
            #expect(seen.last == .disconnected)
            #expect(!seen.contains { $0.isHead || $0.isGoAway })
            #expect(gateway.deliveries(to: Self.victim).count == deliveries)
            #expect(gateway.notifications().count == 2)
        }
    }

    @Test func `every outcome that a sender does not know is one that a cut explains`() async throws {
        try await withGateway(device: Self.victim, seed: 7) { gateway in
            for effect in [#"{"disconnect":"after"}"#, #"{"disconnect":true}"#] {
                let made = try await gateway.control.call(
                    "POST", "/api/faults", #"{"effect":\#(effect),"probability":0.05}"#)
                #expect(made.status == 201)
            }
            var accepted: Set<String> = []
            var unknown = 0
            for wave in 0..<10 {
                await withTaskGroup(of: (String, Bool?).self) { group in
                    for number in wave * 20..<(wave + 1) * 20 {
                        group.addTask {
                            do {
                                var notification = try gateway.notification(to: Self.victim, payload: silent)
                                let id = "9d1f0a52-1111-4222-8333-\(String(100_000_000_000 + number))"
                                notification.id = NotificationID(id)
                                return (id, try await gateway.provider.send(notification).isAccepted)
                            } catch {
                                return ("", nil)
                            }
                        }
                    }
                    for await (id, isAccepted) in group {
                        if isAccepted == true { accepted.insert(id) } else { unknown += 1 }
                    }
                }
            }
            let judged = gateway.notifications().filter(\.isAccepted).map(\.apnsID)
            #expect(Set(judged).count == judged.count, "nothing was sent twice")
            #expect(accepted.isSubset(of: judged))
            let cuts = gateway.world { $0.activeFaults(real: 0) }.map(\.used)
            #expect(cuts.allSatisfy { $0 > 0 }, "both rules hit")
            #expect(unknown > 0)
            #expect(judged.count - accepted.count <= unknown)
        }
    }

    // MARK: The connection

    @Test func `a goaway for this stream comes with its answer, and the connection ends`() async throws {
        try await withFault(#"{"goaway":{}}"#) { gateway, line, events in
            try await line.send(to: Self.victim)
            let seen = await rest(of: &events)
            #expect(seen.contains(.goAway(lastStreamID: 3, .noError, #"{"reason":"Shutdown"}"#)))
            #expect(seen.contains(.end(3)))
            #expect(seen.last == .disconnected)
            #expect(gateway.deliveries(to: Self.victim).count == 1)
        }
    }

    @Test func `a goaway for the previous stream keeps this one from being processed`() async throws {
        try await withFault(#"{"goaway":{"last-stream":"previous","reason":"IdleTimeout"}}"#) {
            gateway, line, events in
            try await line.send(to: Self.victim)
            let seen = await rest(of: &events)
            #expect(seen.contains(.goAway(lastStreamID: 1, .noError, #"{"reason":"IdleTimeout"}"#)))
            #expect(seen.contains(.closed(3, .refusedStream)))
            #expect(seen.last == .disconnected)
            #expect(gateway.deliveries(to: Self.victim).isEmpty)
            #expect(try await newest(gateway)["outcome"] as? String == "unprocessed")
        }
    }

    @Test func `our sender resends what a goaway left unprocessed, once`() async throws {
        try await withGateway(device: Self.victim) { gateway in
            let rule = #"{"effect":{"goaway":{"last-stream":"previous"}},"count":1}"#
            let made = try await gateway.control.call("POST", "/api/faults", rule)
            #expect(made.status == 201)
            #expect(try await gateway.push(to: Self.victim).isAccepted)
            #expect(gateway.notifications().map(\.isAccepted) == [false, true])
            #expect(gateway.deliveries(to: Self.victim).count == 1)
        }
    }

    @Test func `what came behind the last stream is not processed`() async throws {
        try await withFault(#"{"goaway":{}}"#) { gateway, line, events in
            try await line.send(to: [Self.other, Self.victim, Self.other, Self.other])
            let seen = await rest(of: &events)
            #expect([3, 5].allSatisfy { seen.contains(.end($0)) })
            #expect([7, 9].allSatisfy { seen.contains(.closed($0, .refusedStream)) })
            #expect(gateway.notifications().count == 3)
        }
    }

    @Test func `a goaway for all streams is a notice, and may come ahead of the final one`() async throws {
        try await withFault(#"{"goaway":{"twice":true}}"#) { gateway, line, events in
            try await line.send(to: Self.victim)
            let seen = await rest(of: &events).filter(\.isGoAway)
            #expect(
                seen == [Int32.max, 3].map { .goAway(lastStreamID: $0, .noError, #"{"reason":"Shutdown"}"#) })
        }
    }

    @Test func `what was owed when a goaway was said is still answered`() async throws {
        try await withFault(#"{"goaway":{"last-stream":"all"}}"#, clock: .manual()) { gateway, line, events in
            let late = #"{"match":{"push-type":"alert"},"effect":{"delay":"1m"}}"#
            #expect(try await gateway.control.call("POST", "/api/faults", late).status == 201)
            let alert = line.fields.filter { "\($0.0)" != "apns-push-type" }
            try await line.sender.submit(alert + [("apns-push-type", "alert")], body: #"{"aps":{"alert":"1"}}"#)
            try await line.send(to: Self.victim)
            let first = await rest(of: &events, until: .end(5))
            #expect(first.last == .end(5))
            gateway.advance(by: .seconds(60))
            let seen = await rest(of: &events)
            #expect(seen.contains(.end(3)))
            #expect(seen.last == .disconnected)
        }
    }

    @Test func `a connection is closed after a goaway even when its sender stays, unless it is to be left open`()
        async throws
    {
        try await withFault(#"{"goaway":{"close":false}}"#, #","count":1"#) { gateway, open, openEvents in
            for effect in [#"{"silence":true}"#, #"{"goaway":{}}"#] {
                let device = effect.contains("silence") ? "ee56" : Self.victim
                let rule = #"{"match":{"token":"\#(device)"},"effect":\#(effect)}"#
                #expect(try await gateway.control.call("POST", "/api/faults", rule).status == 201)
            }
            // A stream without an answer keeps a sender from going by itself.
            let (closed, observed, _) = try await FaultLine.open(gateway)
            var closedEvents = observed
            try await open.send(to: "ee56")
            try await open.send(to: Self.victim)
            _ = await open.sender.answer(on: 5, &openEvents)
            try await closed.send(to: "ee56")
            try await closed.send(to: Self.victim)
            let seen = await rest(of: &closedEvents)
            #expect(seen.contains(.goAway(lastStreamID: 5, .noError, #"{"reason":"Shutdown"}"#)))
            #expect(seen.last == .disconnected)
            try await open.sender.ping()
            #expect(await rest(of: &openEvents, until: .pingAcknowledged).last == .pingAcknowledged)
        }
    }

    @Test func `a gateway that stops says no higher last stream than a fault rule did`() async throws {
        try await withFault(#"{"goaway":{"last-stream":"previous","close":false}}"#) { gateway, line, events in
            let quiet = #"{"match":{"token":"ee56"},"effect":{"silence":true}}"#
            #expect(try await gateway.control.call("POST", "/api/faults", quiet).status == 201)
            try await line.send(to: "ee56")
            try await line.send(to: Self.victim)
            _ = await rest(of: &events, until: .closed(5, .refusedStream))
            await gateway.running.shutdown()
            let seen = await rest(of: &events)
            #expect(seen.contains(.goAway(lastStreamID: 3, .noError, #"{"reason":"Shutdown"}"#)))
        }
    }

    @Test func `the stream limit is announced, and not undone by the next good provider token`() async throws {
        try await withGateway(device: Self.victim, devices: .open) { gateway in
            let rule = #"{"effect":{"max-concurrent-streams":3},"count":1}"#
            #expect(try await gateway.control.call("POST", "/api/faults", rule).status == 201)
            let (line, observed, before) = try await FaultLine.open(gateway)
            #expect(before.last == .settings(streams: 3))
            var events = observed
            try await line.send(to: Self.victim)
            let (answer, between) = await line.sender.answer(on: 3, &events)
            #expect(answer.headers.first == ":status: 200")
            #expect(between.isEmpty)
            let higher = #"{"effect":{"max-concurrent-streams":1000},"count":1}"#
            #expect(try await gateway.control.call("POST", "/api/faults", higher).status == 201)
            try await line.send(to: Self.victim)
            #expect(await rest(of: &events, until: .settings(streams: 1000)).last == .settings(streams: 1000))
            try await line.sender.close()
        }
    }
}
