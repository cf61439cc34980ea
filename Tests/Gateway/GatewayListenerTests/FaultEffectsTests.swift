import APNSModel
import APNSProvider
import DevelopmentCredentials
import Foundation
import GatewayConfiguration
import GatewayCore
import GatewayJSON
import GatewayRuntime
import GatewayTestSupport
import GatewayTesting
import HTTP2Session
import SystemFiles
import Testing

@testable import GatewayListener
@testable import GatewayServer

/// The effects of fault rules over TLS, one connection at a time. The requests of `victim` are hit, those of `other` are
/// not.
@Suite(.timeLimit(.minutes(10)))
struct FaultEffectsTests {
    private static let victim = FaultLine.victim
    private static let other = FaultLine.other

    /// What the gateway has said by now: its answer to a ping is behind all that was said before. What a call from
    /// outside makes the gateway say may come with the answer to the first ping, so there are two.
    private func saidBeforePing(_ line: FaultLine, _ events: inout FaultLine.Events) async throws -> [RawSender
        .Observed]
    {
        var said: [RawSender.Observed] = []
        for _ in 0..<2 {
            try await line.sender.ping()
            said += await rest(of: &events, until: .pingAcknowledged).dropLast()
        }
        return said
    }

    private func outcome(_ gateway: TestGateway) async throws -> String? {
        let journal = try await gateway.control.call("GET", "/api/notifications?token=\(Self.victim)").json
        return (journal["notifications"] as? [[String: Any]])?.first?["outcome"] as? String
    }

    // MARK: Silence

    @Test(arguments: [("true", "unprocessed", 0), (#""after""#, "accepted", 1)])
    func `a half-open connection says nothing more, and its socket stays open`(
        value: String, outcome: String, deliveries: Int
    ) async throws {
        try await withFaults(FaultLine.rule(#"{"half-open":\#(value)}"#)) { gateway in
            let (line, opened, _) = try await FaultLine.open(gateway)
            var events = opened
            try await gateway.control.events("/api/events") { reader in
                try await line.send(to: Self.victim)
                while let event = try await reader.next(), event.name != "notification" {}
            }
            try await line.send(to: Self.other)
            try await line.sender.ping()
            // A whole exchange on another connection leaves the first one time to be closed.
            let (second, _, _) = try await FaultLine.open(gateway)
            #expect(try await line.sender.isOpen)
            #expect(try await self.outcome(gateway) == outcome)
            #expect(gateway.deliveries(to: Self.victim).count == deliveries)
            #expect(gateway.notifications().count == 3, "what came behind it is not read")
            try await second.sender.close()
            await gateway.running.shutdown()
            #expect(await rest(of: &events) == [.disconnected], "no answer, no GOAWAY, no answer to the ping")
        }
    }

    @Test func `a delay that never ends leaves what was judged without an answer`() async throws {
        try await withFaults(FaultLine.rule(#"{"delay":"never"}"#)) { gateway in
            let (line, opened, _) = try await FaultLine.open(gateway)
            var events = opened
            try await line.send(to: Self.victim)
            #expect(try await saidBeforePing(line, &events).isEmpty)
            gateway.advance(by: .seconds(86_400))
            #expect(try await saidBeforePing(line, &events).isEmpty)
            #expect(try await outcome(gateway) == "accepted")
            try await line.sender.close()
        }
    }

    // MARK: The end

    @Test(arguments: [("", "unprocessed", 0), (#","after":true"#, "accepted", 1)])
    func `a connection that is reset ends with RST`(more: String, outcome: String, deliveries: Int) async throws {
        try await withFaults(FaultLine.rule(#"{"disconnect":{"reset":true\#(more)}}"#)) { gateway in
            let (line, opened, _) = try await FaultLine.open(gateway)
            var events = opened
            try await line.send(to: Self.victim)
            #expect(await rest(of: &events) == [.disconnected])
            #expect(try await line.sender.closeError?.contains("reset") == true)
            #expect(try await self.outcome(gateway) == outcome)
            #expect(gateway.deliveries(to: Self.victim).count == deliveries)
        }
    }

    @Test func `a connection that is cut ends in order`() async throws {
        try await withFaults(FaultLine.rule(#"{"disconnect":true}"#)) { gateway in
            let (line, opened, _) = try await FaultLine.open(gateway)
            var events = opened
            try await line.send(to: Self.victim)
            #expect(await rest(of: &events) == [.disconnected])
            #expect(try await line.sender.closeError?.contains("reset") != true)
        }
    }

    @Test func `an abrupt goaway says its code and leaves everything owed without an answer`() async throws {
        let goAway = #"{"goaway":{"close":"now","code":7,"last-stream":"all"}}"#
        try await withFaults(
            #"{"match":{"token":"ee56"},"effect":{"delay":"1h"}}"#, FaultLine.rule(goAway)
        ) { gateway in
            let (line, opened, _) = try await FaultLine.open(gateway)
            var events = opened
            try await line.send(to: "ee56")
            try await line.send(to: Self.victim)
            let seen = await rest(of: &events)
            #expect(seen == [.goAway(lastStreamID: .max, .refusedStream, #"{"reason":"Shutdown"}"#), .disconnected])
            #expect(try await outcome(gateway) == "accepted")
            let metrics = try await gateway.control.call("GET", "/metrics").body
            #expect(metrics.contains("apns_gateway_unanswered_total 1"))
        }
    }

    // MARK: Flow

    @Test func `a window that is shut keeps bodies out until its time is over`() async throws {
        let window = #"{"window":{"bytes":0,"for":"10m"}}"#
        try await withFaults(FaultLine.rule(window, #","count":1"#)) { gateway in
            let (line, opened, _) = try await FaultLine.open(gateway)
            var events = opened
            try await line.send(to: Self.victim)
            #expect(await line.sender.answer(on: 3, &events).answer.headers.first == ":status: 200")
            _ = try await saidBeforePing(line, &events)
            try await line.send(to: Self.other)
            gateway.advance(by: .seconds(599))
            #expect(try await saidBeforePing(line, &events).filter(\.isHead).isEmpty)
            #expect(gateway.notifications().count == 2)
            gateway.advance(by: .seconds(1))
            #expect(await line.sender.answer(on: 5, &events).answer.headers.first == ":status: 200")
            try await line.sender.close()
        }
    }

    @Test(arguments: [("DELETE", "/api/faults/1"), ("DELETE", "/api/faults"), ("POST", "/api/reset")])
    func `a window that is shut opens when its rule is removed`(method: String, path: String) async throws {
        try await withFaults(FaultLine.rule(#"{"window":0}"#)) { gateway in
            let (line, opened, _) = try await FaultLine.open(gateway)
            var events = opened
            try await line.send(to: Self.victim)
            _ = await line.sender.answer(on: 3, &events)
            _ = try await saidBeforePing(line, &events)
            try await line.send(to: Self.other)
            #expect(try await saidBeforePing(line, &events).filter(\.isHead).isEmpty)
            #expect(try await gateway.control.call(method, path).status == 204)
            #expect(await line.sender.answer(on: 5, &events).answer.headers.first == ":status: 200")
            try await line.sender.close()
        }
    }

    @Test func `a small window lets bodies through in pieces`() async throws {
        try await withFaults(FaultLine.rule(#"{"window":8}"#)) { gateway in
            let (line, opened, _) = try await FaultLine.open(gateway)
            var events = opened
            try await line.send(to: Self.victim)
            _ = await line.sender.answer(on: 3, &events)
            _ = try await saidBeforePing(line, &events)
            try await line.send(to: Self.other)
            #expect(await line.sender.answer(on: 5, &events).answer.headers.first == ":status: 200")
            try await line.sender.close()
        }
    }

    @Test func `a slow body follows its head byte by byte`() async throws {
        try await withFaults(FaultLine.rule(#"{"slow-body":"24s"}"#)) { gateway in
            let (line, opened, _) = try await FaultLine.open(gateway)
            var events = opened
            try await line.send(to: Self.victim, ["apns-priority": "7"])
            let body = #"{"reason":"BadPriority"}"#
            #expect(body.utf8.count == 24)
            let head = try await saidBeforePing(line, &events)
            #expect(head.count == 1 && head[0].isHead)
            gateway.advance(by: .seconds(10))
            #expect(try await saidBeforePing(line, &events) == [.body(3, String(body.prefix(10)))])
            gateway.advance(by: .milliseconds(999))
            #expect(try await saidBeforePing(line, &events).isEmpty)
            gateway.advance(by: .seconds(60))
            let end = await rest(of: &events, until: .end(3))
            #expect(end == [.body(3, String(body.dropFirst(10))), .end(3)])
            try await line.sender.close()
        }
    }

    @Test func `an answer without a body has its end put off, for ever if asked`() async throws {
        let never = #"{"match":{"token":"ee56"},"effect":{"slow-body":"never"}}"#
        try await withFaults(FaultLine.rule(#"{"slow-body":"5s"}"#), never) { gateway in
            let (line, opened, _) = try await FaultLine.open(gateway)
            var events = opened
            try await line.send(to: Self.victim)
            try await line.send(to: "ee56")
            #expect(try await saidBeforePing(line, &events).filter(\.isHead).count == 2)
            gateway.advance(by: .seconds(5))
            #expect(await rest(of: &events, until: .end(3)) == [.end(3)])
            gateway.advance(by: .seconds(86_400))
            let more = try await saidBeforePing(line, &events)
            #expect(!more.contains(.end(5)))
            try await line.sender.close()
        }
    }

    /// A connection that a rule holds by now.
    private func heldSender(_ gateway: TestGateway) async throws -> RawSender {
        try await gateway.control.events("/api/events") { reader in
            let sender = try await gateway.rawSender()
            while let event = try await reader.next(), event.name != "fault-connection-held" {}
            return sender
        }
    }

    @Test func `a slow accept holds TLS of a new connection, and not of the next`() async throws {
        try await withFaults(#"{"effect":{"slow-accept":"30s"},"count":1}"#) { gateway in
            let slow = try await heldSender(gateway)
            var events = slow.observed.makeAsyncIterator()
            let (line, _, _) = try await FaultLine.open(gateway)
            gateway.advance(by: .milliseconds(29_999))
            #expect(try await !slow.isOpen)
            gateway.advance(by: .milliseconds(1))
            #expect(await events.next() == .opened)
            try await line.sender.close()
            try await slow.close()
        }
    }

    @Test func `a connection that is held for ever ends with the gateway`() async throws {
        try await withFaults(#"{"effect":{"slow-accept":"never"}}"#) { gateway in
            let slow = try await heldSender(gateway)
            var events = slow.observed.makeAsyncIterator()
            gateway.advance(by: .seconds(86_400))
            await gateway.running.shutdown()
            #expect(await rest(of: &events) == [.disconnected])
        }
    }

    @Test func `a refusal takes the streams down to one, and the next good request brings them back`() async throws {
        let refusal = #"{"refuse":{"reason":"BadDeviceToken","max-concurrent-streams":1}}"#
        try await withFaults(FaultLine.rule(refusal)) { gateway in
            let (line, opened, _) = try await FaultLine.open(gateway)
            var events = opened
            try await line.send(to: Self.victim)
            let (refused, before) = await line.sender.answer(on: 3, &events)
            #expect(refused.headers.first == ":status: 400")
            #expect(before == [.settings(streams: 1)])
            _ = try await saidBeforePing(line, &events)
            try await line.send(to: Self.other)
            let (accepted, between) = await line.sender.answer(on: 5, &events)
            #expect(accepted.headers.first == ":status: 200")
            #expect(between == [.settings(streams: 1000)])
            try await line.sender.close()
        }
    }

    // MARK: Deliveries

    @Test(arguments: [(#"{"lose":true}"#, 0), (#"{"duplicate":3}"#, 3), (#"{"offline":true}"#, 0)])
    func `what is accepted is delivered as the rule says`(effect: String, deliveries: Int) async throws {
        try await withFaults(FaultLine.rule(effect)) { gateway in
            try await gateway.push(to: Self.victim)
            #expect(gateway.notifications().map(\.isAccepted) == [true])
            #expect(gateway.deliveries(to: Self.victim).count == deliveries)
        }
    }

    @Test func `the listener of a device gets a duplicate as often as it is delivered`() async throws {
        try await withFaults(FaultLine.rule(#"{"duplicate":2}"#)) { gateway in
            try await gateway.control.events("/api/devices/\(Self.victim)/deliveries") { reader in
                try await gateway.push(to: Self.victim)
                let first = try await reader.next()
                #expect(first != nil)
                #expect(try await reader.next() == first)
            }
        }
    }

    @Test func `a device that is offline for a time gets what is stored when the clock says so`() async throws {
        try await withFaults(FaultLine.rule(#"{"offline":"10m"}"#, #","count":1"#)) { gateway in
            try await gateway.push(to: Self.victim)
            let device = try await gateway.control.call("GET", "/api/devices/\(Self.victim)").json
            #expect(device["online"] as? Bool == false)
            #expect(device["back"] is String)
            gateway.advance(by: .seconds(600))
            #expect(gateway.deliveries(to: Self.victim).count == 1)
        }
    }

    @Test func `a device token that died gets 410 late, with the time at which the gateway knew`() async throws {
        try await withFaults(FaultLine.rule(#"{"uninstall":"10m"}"#, #","count":1"#)) { gateway in
            for _ in 0..<2 { #expect(try await gateway.push(to: Self.victim).isAccepted) }
            gateway.advance(by: .seconds(600))
            let known = gateway.running.now
            let reply = try await gateway.push(to: Self.victim)
            #expect(reply.reason == .unregistered)
            guard case .refused(let refusal) = reply else {
                Issue.record("\(reply)")
                return
            }
            #expect(refusal.timestamp == known)
            #expect(gateway.deliveries(to: Self.victim).isEmpty)
        }
    }

    // MARK: All of it

    @Test func `events tell when rules come, hold connections, end and go`() async throws {
        try await withFaults { gateway in
            try await gateway.control.events("/api/events") { reader in
                func next() async throws -> String? { try await reader.next()?.name }
                let rules = [
                    #"{"effect":{"slow-accept":"0s"},"count":1}"#, FaultLine.rule(#"{"lose":true}"#, #","count":1"#),
                    FaultLine.rule(#"{"lose":true}"#),
                ]
                for rule in rules {
                    #expect(try await gateway.control.call("POST", "/api/faults", rule).status == 201)
                    #expect(try await next() == "fault-added")
                }
                try await gateway.push(to: Self.victim)
                #expect(try await next() == "fault-connection-held")
                #expect(try await next() == "fault-ended")
                var seen: [String?] = []
                while seen.last != "fault-ended" { seen.append(try await next()) }
                #expect(seen.first == "notification")
                #expect(try await gateway.control.call("DELETE", "/api/faults/3").status == 204)
                #expect(try await next() == "fault-removed")
            }
        }
    }

    @Test func `the same seed and the same requests give equal journals`() async throws {
        let effects = [
            #"{"refuse":{"reason":"TooManyRequests"}}"#, #"{"reset":8}"#, #"{"lose":true}"#, #"{"duplicate":2}"#,
            #"{"offline":{"uniform":["0s","30s"]}}"#, #"{"reset":{"code":2,"after":true}}"#,
        ]
        let start = Int64(Date().timeIntervalSince1970)
        func journal(seed: UInt64) async throws -> String {
            try await withGateway(
                device: Self.victim, devices: .open, clock: .manual(startingAt: start), seed: seed
            ) { gateway in
                for effect in effects {
                    let rule = #"{"effect":\#(effect),"probability":0.15}"#
                    #expect(try await gateway.control.call("POST", "/api/faults", rule).status == 201)
                }
                let sender = try await gateway.rawSender()
                var events = sender.observed.makeAsyncIterator()
                let fields = try gateway.fields(to: Self.victim)
                for number in 0..<60 {
                    let id = "9d1f0a52-1111-4222-8333-\(String(100_000_000_000 + number))"
                    try await sender.submit(gateway.fields(like: fields, to: Self.victim, id: id), body: silent)
                    while let event = await events.next() {
                        if case .closed(Int32(2 * number + 1), _) = event { break }
                    }
                    gateway.advance(by: .seconds(5))
                }
                try await sender.close()
                return try await gateway.control.call("GET", "/api/notifications?limit=100").body
            }
        }
        let first = try await journal(seed: 5)
        #expect(first.contains("a fault rule refused it") && first.contains("unprocessed"))
        #expect(try await journal(seed: 5) == first)
        #expect(try await journal(seed: 6) != first)
    }
}
