import APNSModel
import Foundation
import GatewayTestSupport
import GatewayTesting
import NIOCore
import Synchronization
import Testing

@testable import GatewayRuntime
@testable import GatewayServer

// Below the 5 minutes of `within`, so that a wait that nothing ends fails.
@Suite(.timeLimit(.minutes(4)))
struct VerifyTests {
    typealias Answer = ControlClient.Answer

    func verify(_ gateway: TestGateway, _ body: String) async throws -> Answer {
        try await gateway.control.call("POST", "/api/verify", body)
    }

    /// Lets a client wait, does something meanwhile, and gives what the client was answered.
    func verify(
        _ gateway: TestGateway, _ body: String, while act: () async throws -> Void
    ) async throws -> Answer {
        let ended = Flag()
        async let answer = {
            defer { ended.set() }
            return try await verify(gateway, body)
        }()
        // A short wait may be over before this task sees it.
        while gateway.running.state.waiterCount == 0, !ended.isSet { await Task.yield() }
        try await act()
        return try await answer
    }

    private final class Flag: Sendable {
        private let value = Mutex(false)
        var isSet: Bool { value.withLock { $0 } }
        func set() { value.withLock { $0 = true } }
    }

    @Test func `what is there already is found at once`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let reply = try await gateway.push(to: "ab12", "7")
            guard case .accepted(_, let id?) = reply else {
                Issue.record("\(reply)")
                return
            }
            let answer = try await verify(
                gateway, #"{"match":{"token":"AB12","payload":{"n":"7"}},"count":{"exactly":1},"within":"5m"}"#)
            #expect(answer.status == 200)
            #expect(answer.json["satisfied"] as? Bool == true)
            #expect(answer.json["matched"] as? Int == 1)
            #expect(answer.json["expected"] as? String == "exactly 1")
            #expect(answer.json["notifications"] as? [String] == [id])
            #expect((answer.json["near-misses"] as? [Any])?.isEmpty == true)
        }
    }

    @Test func `without a time nothing is waited for, and what comes near is reported`() async throws {
        try await withGateway(device: "ab12") { gateway in
            try await gateway.push(to: "ab12", "7")
            let answer = try await verify(
                gateway,
                #"{"match":{"topic":"com.example.agent","apns-priority":10,"payload":{"n":"8","aps":{"badge":1}}}}"#)
            #expect(answer.json["satisfied"] as? Bool == false)
            #expect(answer.json["matched"] as? Int == 0)
            let miss = try #require((answer.json["near-misses"] as? [[String: Any]])?.first)
            #expect(miss["apns-unique-id"] is String)
            let differences = try #require(miss["differences"] as? [[String: Any]])
            #expect(differences.map { $0["field"] as? String } == ["apns-priority", "payload/aps/badge", "payload/n"])
            #expect(differences.map { "\($0["wanted"] ?? "")" } == ["10", "1", "8"])
            #expect(differences.map { $0["found"] is NSNull } == [false, true, false])
        }
    }

    @Test func `who waits has the answer when the last one comes`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let answer = try await verify(
                gateway, #"{"match":{"outcome":"accepted"},"count":{"at-least":2},"within":"5m"}"#
            ) {
                try await gateway.push(to: "ab12", "1")
                try await gateway.push(to: "ab34", "no device")
                #expect(gateway.running.state.waiterCount == 1)
                try await gateway.push(to: "ab12", "2")
            }
            #expect(answer.json["satisfied"] as? Bool == true)
            #expect(answer.json["matched"] as? Int == 2)
            #expect(gateway.running.state.waiterCount == 0)
        }
    }

    @Test(arguments: [#"{"at-most":1}"#, #"{"exactly":0}"#])
    func `too many end the wait at once`(count: String) async throws {
        try await withGateway(device: "ab12") { gateway in
            let answer = try await verify(gateway, #"{"count":\#(count),"within":"5m"}"#) {
                try await gateway.push(to: "ab12", "1")
                if count.contains("1") { try await gateway.push(to: "ab12", "2") }
            }
            #expect(answer.json["satisfied"] as? Bool == false)
            #expect((answer.json["near-misses"] as? [Any])?.isEmpty == true)
        }
    }

    @Test func `a count that nothing meets is watched to the end of the time`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let answer = try await verify(
                gateway, #"{"match":{"outcome":"refused"},"count":{"at-most":0},"within":"100ms"}"#
            ) {
                try await gateway.push(to: "ab12", "1")
            }
            #expect(answer.json["satisfied"] as? Bool == true)
            #expect(answer.json["matched"] as? Int == 0)
        }
    }

    @Test func `a time that ends gives what there is`() async throws {
        try await withGateway(device: "ab12") { gateway in
            try await gateway.push(to: "ab12", "1")
            let answer = try await verify(gateway, #"{"count":{"at-least":2},"within":"10ms"}"#)
            #expect(answer.json["satisfied"] as? Bool == false)
            #expect(answer.json["matched"] as? Int == 1)
        }
    }

    @Test func `what happens to a notification later is waited for too`() async throws {
        try await withGateway(device: "ab12") { gateway in
            try gateway.setOnline(false, device: "ab12")
            try await gateway.push(to: "ab12", "1")
            let answer = try await verify(gateway, #"{"match":{"life":"delivered"},"within":"5m"}"#) {
                try gateway.setOnline(true, device: "ab12")
            }
            #expect(answer.json["satisfied"] as? Bool == true)
        }
    }

    @Test func `an emptied journal begins the count anew`() async throws {
        try await withGateway(device: "ab12") { gateway in
            try await gateway.push(to: "ab12", "1")
            let answer = try await verify(gateway, #"{"count":{"at-least":2},"within":"5m"}"#) {
                _ = try await gateway.control.call("DELETE", "/api/notifications")
                try await gateway.push(to: "ab12", "2")
                #expect(gateway.running.state.waiterCount == 1)
                try await gateway.push(to: "ab12", "3")
            }
            #expect(answer.json["matched"] as? Int == 2)
        }
    }

    @Test func `only what came since a time counts`() async throws {
        let start = TestGateway.machineSeconds
        try await withGateway(device: "ab12", clock: .manual(startingAt: start)) { gateway in
            try await gateway.push(to: "ab12", "1")
            let since = start + 60
            #expect(try await verify(gateway, #"{"since":\#(since)}"#).json["matched"] as? Int == 0)
            gateway.advance(by: .seconds(90))
            try await gateway.push(to: "ab12", "2")
            #expect(try await verify(gateway, #"{"since":\#(since)}"#).json["matched"] as? Int == 1)
        }
    }

    @Test func `a client that disconnects gives its place back at once`() async throws {
        try await withGateway { gateway in
            let client = gateway.control
            let channel = try await client.open()
            try await channel.executeThenClose { _, outbound in
                try await outbound.write(client.request("POST", "/api/verify", #"{"within":"5m"}"#, [], nil))
                while gateway.running.state.waiterCount == 0 { await Task.yield() }
            }
            while gateway.running.state.waiterCount > 0 { await Task.yield() }
        }
    }

    @Test func `a client that closes its direction while it waits is answered with the count`() async throws {
        try await withGateway(device: "ab12") { gateway in
            try await gateway.push(to: "ab12", "1")
            let client = gateway.control
            let channel = try await client.open(canHalfClose: true)
            try await channel.executeThenClose { inbound, outbound in
                let body = #"{"count":{"at-least":2},"within":"5m"}"#
                try await outbound.write(client.request("POST", "/api/verify", body, ["Connection: close"], nil))
                outbound.finish()
                var text = ""
                for try await part in inbound { text += String(buffer: part) }
                #expect(text.contains(#""matched":1"#), "\(text)")
                // The journal is not searched for a client that may be gone.
                #expect(text.contains(#""notifications":[]"#), "\(text)")
                #expect(text.contains(#""near-misses":[]"#), "\(text)")
            }
        }
    }

    @Test(arguments: [#"{"within":"5m"}"#, #"{"count":{"exactly":0},"within":"5m"}"#])
    func `a gateway that stops says to those who wait that it cannot know`(body: String) async throws {
        try await withGateway { gateway in
            let answer = try await verify(gateway, body) {
                gateway.running.state.endSubscriptions()
            }
            #expect(answer.status == 503 && answer.json["satisfied"] == nil, "\(answer.body)")
            #expect(answer.json["title"] as? String == "The wait was cut short")
            // Neither does one that comes later wait.
            #expect(try await verify(gateway, body).status == 503)
            let immediate = try await verify(gateway, #"{"count":{"exactly":0}}"#)
            #expect(immediate.json["satisfied"] as? Bool == true)
        }
    }

    @Test(
        arguments: [
            (#"{"within":"6m"}"#, "5 minutes"), (#"{"count":{"exactly":1,"at-most":2}}"#, "one key"),
            (#"{"count":{"exactly":-1}}"#, "from 0"), (#"{"count":{}}"#, "one key"),
            (#"{"match":{"apns-topik":"x"}}"#, "did you mean \"apns-topic\"?"),
            (#"{"match":{"status":{}}}"#, "true for present"),
            (#"{"match":{"status":1,"status":1}}"#, "twice"), (#"{"watch":1}"#, "true or false"),
            (#"{"match":{"outcome":"refusd"},"count":{"exactly":0}}"#, "did you mean \"refused\"?"),
            (#"{"match":{"life":["deliverd"]},"count":{"exactly":0}}"#, "did you mean \"delivered\"?"),
            (#"{"match":{"request":"brodcast"},"count":{"exactly":0}}"#, "did you mean \"broadcast\"?"),
        ])
    func `an expectation that cannot be is answered with what can`(body: String, detail: String) async throws {
        try await withGateway { gateway in
            let answer = try await verify(gateway, body)
            #expect(answer.status == 400)
            #expect((answer.json["detail"] as? String)?.contains(detail) == true, "\(answer.body)")
        }
    }

    @Test func `a misspelt value is reported with its place`() async throws {
        try await withGateway { gateway in
            let answer = try await verify(gateway, #"{"match":{"life":["stored","deliverd"]}}"#)
            #expect(answer.json["pointer"] as? String == "/match/life/1")
            let detail = answer.json["detail"] as? String ?? ""
            #expect(detail.hasPrefix("line 1, column 28: \"life\" must be one of accepted, "), "\(detail)")
        }
    }

    @Test func `a payload with more values than a match may have is refused`() async throws {
        try await withGateway { gateway in
            let members = (0..<257).map { "\"k\($0)\":1" }.joined(separator: ",")
            let answer = try await verify(gateway, #"{"match":{"payload":{\#(members)}},"count":{"exactly":0}}"#)
            #expect(answer.status == 400)
            #expect(answer.json["pointer"] as? String == "/match/payload")
            #expect((answer.json["detail"] as? String)?.contains("at most 256 members") == true, "\(answer.body)")
        }
    }
}
