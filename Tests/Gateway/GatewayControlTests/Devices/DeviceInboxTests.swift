import GatewayTestSupport
import GatewayTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct DeviceInboxTests {
    @Test func `what reached a device is shown newest first, and what waits with its end`() async throws {
        try await withGateway(device: "ab12") { gateway in
            try await gateway.push(to: "ab12", "first")
            try await gateway.push(to: "ab12", "second")
            _ = try await gateway.control.call("PATCH", "/api/devices/ab12", #"{"online":false}"#)
            try await gateway.push(to: "ab12", "third")
            let inbox = try await gateway.control.call("GET", "/api/devices/ab12/notifications")
            #expect(inbox.status == 200)
            let delivered = try #require(inbox.json["delivered"] as? [[String: Any]])
            #expect(delivered.map { ($0["payload"] as? [String: Any])?["n"] as? String } == ["second", "first"])
            #expect(delivered.allSatisfy { $0["delivered"] is String })
            let waiting = try #require(inbox.json["waiting"] as? [[String: Any]])
            #expect(waiting.map { ($0["payload"] as? [String: Any])?["n"] as? String } == ["third"])
            #expect(waiting.allSatisfy { $0["expires"] is String && $0["delivered"] == nil })
            let limited = try await gateway.control.call("GET", "/api/devices/ab12/notifications?limit=1").json
            #expect((limited["delivered"] as? [Any])?.count == 1)
        }
    }

    @Test func `of one collapse id the newest is on the screen, and the others name it`() async throws {
        try await withGateway(device: "ab12") { gateway in
            for (name, id) in [("a1", "a"), ("b1", "b"), ("a2", "a"), ("none", nil), ("a3", "a")] as [(String, String?)]
            {
                let header = id.map { #""apns-collapse-id":"\#($0)","# } ?? ""
                let sent = try await gateway.control.call(
                    "POST", "/api/notifications",
                    #"{"token":"ab12","apns-topic":"com.example.agent",\#(header)"payload":{"aps":{"alert":"\#(name)"}}}"#
                )
                #expect(sent.status == 201, "\(sent.body)")
            }
            let silent = try await gateway.control.call(
                "POST", "/api/notifications",
                #"{"token":"ab12","apns-topic":"com.example.agent","apns-push-type":"background","apns-priority":5,"#
                    + #""apns-collapse-id":"a","payload":{"aps":{"content-available":1}}}"#)
            #expect(silent.status == 201, "\(silent.body)")
            let inbox = try await gateway.control.call("GET", "/api/devices/ab12/notifications").json
            let delivered = try #require(inbox["delivered"] as? [[String: Any]])
            // What shows nothing takes nothing's place.
            let newest = delivered.dropFirst().first?["apns-unique-id"] as? String
            #expect(newest != nil)
            #expect(delivered.map { $0["hidden-by"] as? String } == [nil, nil, nil, newest, nil, newest])
        }
    }

    @Test func `looking at a device delivers nothing to it`() async throws {
        try await withGateway { gateway in
            _ = try await gateway.control.call("POST", "/api/devices", #"{"topic":"com.example.agent","token":"cd34"}"#)
            try await gateway.push(to: "cd34")
            for _ in 0..<2 {
                let inbox = try await gateway.control.call("GET", "/api/devices/cd34/notifications").json
                #expect((inbox["waiting"] as? [Any])?.count == 1)
                #expect((inbox["delivered"] as? [Any])?.isEmpty == true)
            }
        }
    }

    @Test(arguments: [("zz", 400), ("ab34", 404), ("ab12?limit=0", 400), ("ab12?environment=mars", 400)])
    func `a missing device and a malformed request are reported`(path: String, status: Int) async throws {
        try await withGateway(device: "ab12") { gateway in
            let parts = path.split(separator: "?", maxSplits: 1)
            let query = parts.count > 1 ? "?\(parts[1])" : ""
            let answer = try await gateway.control.call("GET", "/api/devices/\(parts[0])/notifications\(query)")
            #expect(answer.status == status)
        }
    }
}
