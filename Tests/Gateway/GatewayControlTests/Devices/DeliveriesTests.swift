import APNSModel
import GatewayCore
import GatewayTestSupport
import GatewayTesting
import NIOCore
import Testing

@testable import GatewayRuntime
@testable import GatewayServer

@Suite(.timeLimit(.minutes(10)))
struct DeliveriesTests {
    private static let device = String(repeating: "ab12", count: 16)
    private static let path = "/api/devices/\(device)/deliveries"

    /// A device that nobody but a stream of events connects.
    private func register(_ gateway: TestGateway) async throws {
        let answer = try await gateway.control.call(
            "POST", "/api/devices", #"{"topic":"com.example.agent","token":"\#(Self.device)"}"#)
        #expect(answer.status == 201)
    }

    @Test func `a connected device gets the envelope with its unique id`() async throws {
        try await withGateway { gateway in
            try await register(gateway)
            try await gateway.control.events(Self.path) { events in
                #expect(events.status == 200)
                #expect(events.headers["content-type"] == "text/event-stream")
                let reply = try await gateway.push(to: Self.device)
                let event = try #require(try await events.next())
                guard case .accepted(let apnsID, let uniqueID?) = reply else {
                    Issue.record("refused: \(reply)")
                    return
                }
                #expect(event.id == uniqueID)
                #expect(event.name == nil)
                #expect(
                    event.data == #"{"token":"\#(Self.device)","apns-topic":"com.example.agent","#
                        + #""apns-push-type":"background","apns-priority":5,"apns-id":"\#(apnsID)","#
                        + #""apns-unique-id":"\#(uniqueID)","payload":{"aps":{"content-available":1},"n":"1"}}"#)
            }
        }
    }

    @Test func `a device resumes behind the last delivery without loss`() async throws {
        try await withGateway { gateway in
            try await register(gateway)
            let first = try await gateway.control.events(Self.path) { events in
                try await gateway.push(to: Self.device, "first")
                return try #require(try await events.next())
            }
            for number in 0..<5 { try await gateway.push(to: Self.device, "away \(number)") }
            let id = try #require(first.id)
            try await gateway.control.events(Self.path, headers: ["Last-Event-ID: \(id)"]) { events in
                for number in 0..<5 {
                    let event = try #require(try await events.next())
                    #expect(event.data.contains(#""n":"away \#(number)""#))
                }
                try await gateway.push(to: Self.device, "back")
                let event = try #require(try await events.next())
                #expect(event.data.contains(#""n":"back""#))
            }
        }
    }

    @Test func `an id that is not in the history is reported as a gap`() async throws {
        try await withGateway { gateway in
            try await register(gateway)
            let headers = ["Last-Event-ID: 00000000-0000-0000-0000-000000000000"]
            try await gateway.control.events(Self.path, headers: headers) { events in
                let event = try #require(try await events.next())
                #expect(event.name == "gap")
            }
        }
    }

    @Test func `an unknown device is answered with 404`() async throws {
        try await withGateway { gateway in
            let answer = try await gateway.control.call("GET", "/api/devices/ab12/deliveries")
            #expect(answer.status == 404)
            #expect(answer.headers["content-type"] == "application/problem+json")
        }
    }

    @Test func `a reset disconnects the devices`() async throws {
        try await withGateway { gateway in
            try await register(gateway)
            try await gateway.control.events(Self.path) { events in
                #expect(try await gateway.control.call("POST", "/api/reset").status == 204)
                let end = try await events.next()
                #expect(end == nil)
            }
        }
    }

    @Test func `a listener that does not read is cut off, resumes, and holds up nobody`() async throws {
        try await withGateway { gateway in
            try await register(gateway)
            let filler = String(repeating: "x", count: 3500)
            let slow = try await gateway.control.open()
            // Nothing reads this connection's stream, so the buffers of its socket fill up.
            let cutOff = try await slow.executeThenClose { _, outbound in
                try await outbound.write(gateway.control.request("GET", Self.path, nil, [], nil))
                var sent = 0
                while true {
                    guard try await gateway.push(to: Self.device, "\(sent) \(filler)").isAccepted else { return -1 }
                    sent += 1
                    let device = gateway.world { world in
                        DeviceToken(Self.device).flatMap { world.device($0, in: .sandbox) }
                    }
                    if device?.connection == .interrupted { return sent }
                }
            }
            #expect(cutOff > 0)
            // The first delivery is in the history still, or the gap is reported; what waits comes either way.
            try await gateway.control.events(Self.path, headers: ["Last-Event-ID: x"]) { events in
                var last = ""
                while let event = try await events.next() {
                    last = event.data
                    if last.contains(#""n":"\#(cutOff - 1) "#) { break }
                }
                #expect(last.contains(#""n":"\#(cutOff - 1) "#))
            }
        }
    }

    @Test func `a listener to all events that does not read is cut off, and another one gets each of them`()
        async throws
    {
        try await withGateway { gateway in
            try await register(gateway)
            let state = gateway.running.state
            func listeners() -> Int { state.withState { $0.subscribers.clientCount } }
            let filler = String(repeating: "x", count: 3500)
            let slow = try await gateway.control.open()
            // Nothing reads this connection's stream, so the buffers of its socket fill up.
            try await slow.executeThenClose { _, outbound in
                try await outbound.write(gateway.control.request("GET", "/api/events", nil, [], nil))
                while listeners() == 0 { await Task.yield() }
                try await gateway.control.events("/api/events") { events in
                    #expect(listeners() == 2)
                    while listeners() == 2 {
                        let reply = try await gateway.push(to: Self.device, filler)
                        guard case .accepted(_, let id?) = reply else {
                            Issue.record("refused: \(reply)")
                            return
                        }
                        var event = try #require(try await events.next())
                        while event.name != "notification" { event = try #require(try await events.next()) }
                        #expect(event.data.contains(id))
                    }
                    // The one that reads stays.
                    #expect(listeners() == 1)
                    try await gateway.push(to: Self.device, "last")
                    while let event = try await events.next() {
                        if event.data.contains(#""n":"last""#) { break }
                    }
                }
            }
        }
    }

    @Test func `events tell of verdicts, deliveries and changes`() async throws {
        try await withGateway(device: "ab12") { gateway in
            try await gateway.control.events("/api/events") { events in
                try await gateway.push(to: "ab12")
                let verdict = try #require(try await events.next())
                #expect(verdict.name == "notification")
                #expect(verdict.data.contains(#""outcome":"accepted""#))
                let name1 = try await events.next()?.name
                #expect(name1 == "delivered")
                try gateway.uninstall(device: "ab12")
                let name2 = try await events.next()?.name
                #expect(name2 == "device-uninstalled")
                gateway.advance(by: .seconds(5))
                let name3 = try await events.next()?.name
                #expect(name3 == "clock")
                _ = try await gateway.control.call("DELETE", "/api/notifications")
                let name4 = try await events.next()?.name
                #expect(name4 == "journal-emptied")
                _ = try await gateway.control.call("POST", "/api/reset")
                let name5 = try await events.next()?.name
                #expect(name5 == "reset")
            }
        }
    }

    @Test func `a device whose app was installed again while it was away gets what it missed and its new device token`()
        async throws
    {
        try await withGateway { gateway in
            try await register(gateway)
            let first = try await gateway.control.events(Self.path) { events in
                try await gateway.push(to: Self.device, "first")
                return try #require(try await events.next())
            }
            try await gateway.push(to: Self.device, "away")
            let made = try await gateway.control.call("POST", "/api/devices/\(Self.device)/reinstall")
            let next = try #require(made.json["token"] as? String)
            try await gateway.control.events(Self.path, headers: ["Last-Event-ID: \(first.id ?? "")"]) { events in
                var event = try #require(try await events.next())
                if event.name == nil { event = try #require(try await events.next()) }
                #expect(event.name == "token" && event.data.contains(next), "\(event)")
                let end = try await events.next()
                #expect(end == nil)
            }
            // It does not count as connected.
            let old = try await gateway.control.call("GET", "/api/devices/\(Self.device)").json
            #expect((old["listeners"] as? Int ?? 0) == 0, "\(old)")
        }
    }
}
