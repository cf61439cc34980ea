import APNSModel
import Foundation
import GatewayTestSupport
import GatewayTesting
import Testing

/// What the control API itself sends.
@Suite(.timeLimit(.minutes(10)))
struct SentNotificationsTests {
    static let envelope = """
        {"token":"ab12","apns-topic":"com.example.agent","apns-push-type":"alert","apns-priority":10,
         "apns-expiration":0,"payload":{"aps": {"alert": "Hi"}}}
        """

    @Test func `a notification is judged, delivered and marked as sent by the control API`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let sent = try await gateway.control.call("POST", "/api/notifications", Self.envelope)
            #expect(sent.status == 201)
            let entry = sent.json
            #expect(entry["outcome"] as? String == "accepted")
            #expect(entry["sent-by"] as? String == "control")
            #expect(entry["verified"] as? Bool == false)
            #expect(entry["stage"] as? String == "delivered")
            #expect(entry["payload-bytes"] as? Int == #"{"aps":{"alert":"Hi"}}"#.utf8.count)
            #expect((entry["why"] as? String)?.contains("no provider token was asked for") == true)
            let location = try #require(sent.headers["location"])
            #expect(try await gateway.control.call("GET", location).json["outcome"] as? String == "accepted")
            let delivery = try #require(gateway.deliveries(to: "ab12").first)
            #expect(delivery.payload == Array(#"{"aps":{"alert":"Hi"}}"#.utf8))
        }
    }

    @Test func `what a provider sends carries no such mark`() async throws {
        try await withGateway(device: "ab12") { gateway in
            try await gateway.push(to: "ab12")
            let all = try await gateway.control.call("GET", "/api/notifications").json
            let entry = try #require((all["notifications"] as? [[String: Any]])?.first)
            #expect(entry["sent-by"] == nil)
            #expect(entry["verified"] as? Bool == true)
        }
    }

    @Test(
        arguments: [
            (#"{"token":"ab34","apns-topic":"com.example.agent","payload":{"aps":{"alert":"Hi"}}}"#, "BadDeviceToken"),
            (#"{"token":"zz","apns-topic":"com.example.agent","payload":{"aps":{"alert":"Hi"}}}"#, "BadDeviceToken"),
            (#"{"apns-topic":"com.example.agent","payload":{"aps":{"alert":"Hi"}}}"#, "MissingDeviceToken"),
            (#"{"token":"ab12","payload":{"aps":{"alert":"Hi"}}}"#, "MissingTopic"),
            (#"{"token":"ab12","apns-topic":"com.example.other","payload":{"aps":{"alert":"Hi"}}}"#, "TopicDisallowed"),
            (#"{"token":"ab12","apns-topic":"com.example.agent"}"#, "PayloadEmpty"),
            (
                #"{"token":"ab12","apns-topic":"com.example.agent","apns-priority":"7","payload":{"aps":{}}}"#,
                "BadPriority"
            ),
            (#"{"apns-channel-id":"AAAA","apns-topic":"com.example.agent","payload":{"aps":{}}}"#, "BadExpirationDate"),
        ])
    func `it is refused for what a provider would be refused for`(body: String, reason: String) async throws {
        try await withGateway(device: "ab12") { gateway in
            let sent = try await gateway.control.call("POST", "/api/notifications", body)
            #expect(sent.status == 201)
            #expect(sent.json["outcome"] as? String == "refused")
            #expect(sent.json["reason"] as? String == reason, "\(sent.body)")
            #expect(gateway.deliveries(to: "ab12").isEmpty)
        }
    }

    @Test func `a payload beyond the limit is refused, however long it is`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let text = String(repeating: "x", count: 20_000)
            let body =
                #"{"token":"ab12","apns-topic":"com.example.agent","apns-push-type":"alert","payload":{"a":"\#(text)"}}"#
            let sent = try await gateway.control.call("POST", "/api/notifications", body)
            #expect(sent.json["reason"] as? String == "PayloadTooLarge")
            #expect(sent.json["payload-bytes"] as? Int == 20_008)
        }
    }

    @Test(
        arguments: [
            ("{", "line 1, column 2"), (#"{"tokn":"ab12"}"#, "\"tokn\" is not known here"),
            (#"{"token":["ab12"],"payload":{}}"#, "\"token\" must be a string or a number"),
            (#"{"payload":{},"payload-base64":"e30="}"#, "send one of them"),
            (#"{"payload-base64":"%"}"#, "\"payload-base64\" must be base64"),
        ])
    func `a body that is no envelope is reported, and nothing is sent`(body: String, words: String) async throws {
        try await withGateway(device: "ab12") { gateway in
            for path in ["/api/notifications", "/api/validate"] {
                let answer = try await gateway.control.call("POST", path, body)
                #expect(answer.status == 400)
                #expect(answer.headers["content-type"] == "application/problem+json")
                #expect((answer.json["detail"] as? String)?.contains(words) == true, "\(answer.body)")
            }
            #expect(try await gateway.control.call("GET", "/api/counts").json["total"] as? Int == 0)
        }
    }

    @Test func `headers that no connection would carry are refused`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let long = String(repeating: "x", count: 9000)
            let body = #"{"token":"ab12","apns-topic":"com.example.agent","apns-collapse-id":"\#(long)","payload":{}}"#
            let answer = try await gateway.control.call("POST", "/api/notifications", body)
            #expect(answer.status == 400)
            #expect((answer.json["detail"] as? String)?.contains("8000 bytes") == true)
        }
    }

    @Test func `a fault rule hits it`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let rule = #"{"effect":{"refuse":{"reason":"TooManyRequests"}},"count":1}"#
            #expect(try await gateway.control.call("POST", "/api/faults", rule).status == 201)
            let refused = try await gateway.control.call("POST", "/api/notifications", Self.envelope).json
            #expect(refused["reason"] as? String == "TooManyRequests")
            #expect(refused["fault"] is [String: Any])
            let disconnect = #"{"effect":{"disconnect":true},"count":1}"#
            #expect(try await gateway.control.call("POST", "/api/faults", disconnect).status == 201)
            let unprocessed = try await gateway.control.call("POST", "/api/notifications", Self.envelope).json
            #expect(unprocessed["outcome"] as? String == "unprocessed")
            let next = try await gateway.control.call("POST", "/api/notifications", Self.envelope).json
            #expect(next["outcome"] as? String == "accepted")
        }
    }

    @Test func `listeners hear of it like of any other`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let names = try await gateway.control.events("/api/events") { events in
                _ = try await gateway.control.call("POST", "/api/notifications", Self.envelope)
                var names: [String?] = []
                while names.count < 2, let event = try await events.next() { names.append(event.name) }
                return names
            }
            #expect(names == ["notification", "delivered"])
        }
    }

    @Test func `an envelope is checked without being sent, each finding with its line`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let payload = "{\n  \"aps\": {\n    \"alert\": \"Hi\",\n    \"mutable-content\": \"1\"\n  }\n}"
            let body = """
                {"token":"ab12","apns-topic":"com.example.agent","apns-push-type":"alert","apns-priority":7,
                 "payload-base64":"\(Data(payload.utf8).base64EncodedString())"}
                """
            let answer = try await gateway.control.call("POST", "/api/validate", body)
            #expect(answer.status == 200)
            #expect(answer.json["payload-bytes"] as? Int == payload.utf8.count)
            #expect(answer.json["maximum-payload-bytes"] as? Int == 4096)
            let findings = try #require(answer.json["findings"] as? [[String: Any]])
            let ofPayload = try #require(findings.first { $0["pointer"] as? String == "/aps/mutable-content" })
            #expect(ofPayload["line"] as? Int == 4)
            #expect((ofPayload["column"] as? Int ?? 0) > 1)
            #expect(ofPayload["end-line"] as? Int == 4)
            let ofHeader = try #require(findings.first { $0["pointer"] as? String == "apns-priority" })
            #expect(ofHeader["line"] == nil)
            #expect(try await gateway.control.call("GET", "/api/notifications").json["total"] as? Int == 0)
        }
    }

    @Test func `a payload that is not JSON is found with its line`() async throws {
        try await withGateway { gateway in
            let text = Data("{\n\"aps\":{},\n}".utf8).base64EncodedString()
            let answer = try await gateway.control.call("POST", "/api/validate", #"{"payload-base64":"\#(text)"}"#)
            let findings = try #require(answer.json["findings"] as? [[String: Any]])
            #expect(findings.contains { $0["rule"] as? String == "payload-json" && $0["line"] as? Int == 2 })
        }
    }

    @Test func `a number that is not written as JSON writes it stays the text that was sent`() async throws {
        try await withGateway(device: "ab12") { gateway in
            for text in ["05", "+5", "-0"] {
                let sent = try await gateway.control.call(
                    "POST", "/api/notifications",
                    #"{"token":"ab12","apns-topic":"com.example.agent","apns-priority":"\#(text)","#
                        + #""apns-expiration":"\#(text)","payload":{"aps":{}}}"#)
                #expect(sent.json["outcome"] as? String == "refused")
                #expect(sent.json["apns-priority"] as? String == text)
                #expect(sent.json["apns-expiration"] as? String == text)
                let missed = try await gateway.control.call(
                    "POST", "/api/verify", #"{"match":{"apns-priority":5,"apns-expiration":"\#(text)"}}"#)
                #expect(missed.body.contains(#""found":"\#(text)""#), "\(missed.body)")
            }
        }
    }

    @Test func `a payload may be as deep as one that a sender sends`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let deep = String(repeating: #"{"a":"#, count: 200) + "1" + String(repeating: "}", count: 200)
            let body =
                #"{"token":"ab12","apns-topic":"com.example.agent","payload":{"aps":{"alert":"Hi"},"deep":\#(deep)}}"#
            let sent = try await gateway.control.call("POST", "/api/notifications", body)
            #expect(sent.json["outcome"] as? String == "accepted", "\(sent.body)")
            let match = #"{"match":{"payload":{"deep":\#(deep)}},"within":"0s"}"#
            let verified = try await gateway.control.call("POST", "/api/verify", match)
            #expect(verified.status == 200, "\(verified.body)")
        }
    }
}
