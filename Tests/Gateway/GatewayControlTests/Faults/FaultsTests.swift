import APNSModel
import GatewayTestSupport
import GatewayTesting
import Testing

/// Fault rules over the control API.
@Suite(.timeLimit(.minutes(10)))
struct FaultsTests {
    @Test(arguments: [
        #"{"refuse":{"status":429,"reason":"TooManyRequests"}}"#, #"{"delay":"200ms"}"#,
        #"{"delay":{"uniform":["10ms","2000ms"]}}"#, #"{"delay":{"log-normal":{"median":"40ms","sigma":0.8}}}"#,
        #"{"silence":true}"#, #"{"silence":"after"}"#, #"{"reset":7}"#, #"{"reset":{"code":7,"after":true}}"#,
        #"{"goaway":{"reason":"Shutdown","last-stream":"this","twice":false,"close":true}}"#,
        #"{"goaway":{"reason":"BadCertificate","last-stream":"all","twice":true,"close":false}}"#,
        #"{"disconnect":true}"#, #"{"disconnect":"after"}"#, #"{"max-concurrent-streams":1}"#,
        #"{"disconnect":{"reset":true}}"#, #"{"disconnect":{"after":true,"reset":true}}"#, #"{"delay":"never"}"#,
        #"{"half-open":true}"#, #"{"half-open":"after"}"#, #"{"window":0}"#, #"{"window":{"bytes":16,"for":"5000ms"}}"#,
        #"{"lose":true}"#, #"{"duplicate":2}"#, #"{"offline":true}"#, #"{"offline":"600000ms"}"#,
        #"{"uninstall":"600000ms"}"#, #"{"uninstall":"never"}"#, #"{"slow-body":{"uniform":["1ms","9ms"]}}"#,
        #"{"slow-accept":"2000ms"}"#,
        #"{"refuse":{"status":400,"reason":"BadDeviceToken","max-concurrent-streams":1}}"#,
        #"{"goaway":{"reason":"Shutdown","last-stream":"this","twice":false,"close":"now","code":7}}"#,
    ])
    func `each effect is shown as it was sent`(effect: String) async throws {
        try await withGateway { gateway in
            let made = try await gateway.control.call("POST", "/api/faults", #"{"effect":\#(effect)}"#)
            #expect(made.status == 201)
            let shown = #"{"id":"1","match":{},"effect":\#(effect),"probability":1.0,"used":0}"#
            #expect(made.body == shown)
            #expect(made.headers["location"] == "/api/faults/1")
            #expect(try await gateway.control.call("GET", "/api/faults").body == #"{"faults":[\#(shown)]}"#)
        }
    }

    @Test func `rules are listed with what is left of them, and removed one by one or all`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let rule = #"""
                {"match":{"token":"AB12","topic":"com.example.agent","push-type":"background"},
                "effect":{"refuse":{"reason":"Shutdown"}},"probability":1,"count":3,"until":"2999-01-01T00:00:00Z"}
                """#
            for _ in 0..<3 { #expect(try await gateway.control.call("POST", "/api/faults", rule).status == 201) }
            try await gateway.push(to: "ab12")
            let first = try await gateway.control.call("GET", "/api/faults/1")
            #expect(
                first.body == #"{"id":"1","match":{"token":"ab12","topic":"com.example.agent","#
                    + #""push-type":"background"},"effect":{"refuse":{"status":503,"reason":"Shutdown"}},"#
                    + #""probability":1.0,"used":1,"count":3,"remaining":2,"until":"2999-01-01T00:00:00.000Z"}"#)
            #expect(try await gateway.control.call("DELETE", "/api/faults/1").status == 204)
            #expect(try await gateway.control.call("DELETE", "/api/faults/1").status == 404)
            #expect(try await gateway.control.call("GET", "/api/faults/1").status == 404)
            let left = try await gateway.control.call("GET", "/api/faults").json["faults"] as? [[String: Any]]
            #expect(left?.map { $0["id"] as? String } == ["2", "3"])
            #expect(try await gateway.control.call("DELETE", "/api/faults").status == 204)
            #expect(try await gateway.control.call("GET", "/api/faults").body == #"{"faults":[]}"#)
        }
    }

    @Test(arguments: [
        ("{}", "\"effect\" is missing"), (#"{"effect":{}}"#, "one key of refuse, delay"),
        (#"{"effect":"delay"}"#, "an object with the keys refuse"),
        (#"{"effect":{"explode":true}}"#, "known are refuse, delay, silence, reset, goaway, disconnect, half-open"),
        (#"{"effect":{"lose":false}}"#, "\"lose\" must be true"), (#"{"effect":{"duplicate":1}}"#, "from 2 to 100"),
        (#"{"effect":{"window":-1}}"#, "whole number"), (#"{"effect":{"window":{"for":"1s"}}}"#, "\"bytes\" must be"),
        (#"{"effect":{"window":{"bytes":0,"for":"never"}}}"#, "0 to 30 days"),
        (#"{"effect":{"offline":"never"}}"#, "0 to 30 days"), (#"{"effect":{"offline":false}}"#, "a string"),
        (#"{"effect":{"uninstall":true}}"#, "a string"), (#"{"effect":{"slow-body":"soon"}}"#, "or \"never\""),
        (#"{"effect":{"slow-accept":"1s"},"match":{"topic":"com.example"}}"#, "absent for slow-accept"),
        (#"{"effect":{"half-open":"before"}}"#, "\"after\""),
        (#"{"effect":{"disconnect":{"rst":true}}}"#, "known are after, reset"),
        (#"{"effect":{"goaway":{"close":"later"}}}"#, "\"now\" to close at once"),
        (#"{"effect":{"reset":7},"match":{"app":"com.example.voip"}}"#, "without a suffix"),
        (#"{"effect":{"reset":7},"match":{"headers":{"apns-priority":5}}}"#, "or the value of the header"),
        (#"{"effect":{"reset":7},"match":{"headers":{"authorization":"bearer x"}}}"#, "false for absent"),
        (#"{"effect":{"reset":7},"match":{"headers":{"x-test":true}}}"#, "known are authorization, apns-topic"),
        (#"{"effect":{"Go-Away":{}}}"#, "did you mean \"goaway\"?"),
        (#"{"effect":{"delay":"1s","reset":7}}"#, "one key of"), (#"{"effect":{"delay":"-1s"}}"#, "0 to 30 days"),
        (#"{"effect":{"delay":"31d"}}"#, "0 to 30 days"), (#"{"effect":{"delay":40}}"#, "must be a string"),
        (#"{"effect":{"delay":{}}}"#, "uniform"), (#"{"effect":{"delay":{"uniform":["2s","1s"]}}}"#, "the shortest"),
        (#"{"effect":{"delay":{"uniform":["2s"]}}}"#, "the shortest"),
        (#"{"effect":{"delay":{"log-normal":{"median":"1s"}}}}"#, "sigma"),
        (#"{"effect":{"delay":{"log-normal":{"sigma":1}}}}"#, "\"median\" must be a duration"),
        (#"{"effect":{"delay":{"log-normal":{"median":"1s","sigma":6}}}}"#, "from 0.0 to 5.0"),
        (#"{"effect":{"reset":-1}}"#, "whole number"), (#"{"effect":{"reset":{"after":true}}}"#, "\"code\" must be"),
        (#"{"effect":{"reset":{"code":7,"before":true}}}"#, "\"before\" is not known"),
        (#"{"effect":{"disconnect":false}}"#, "\"after\""), (#"{"effect":{"silence":"before"}}"#, "\"after\""),
        (#"{"effect":{"goaway":{"last-stream":"next"}}}"#, "this, previous, all"),
        (#"{"effect":{"goaway":{"reason":"a\"b"}}}"#, "letters and digits"),
        (#"{"effect":{"refuse":{"reason":"Newest"}}}"#, "\"status\" must be"),
        (#"{"effect":{"refuse":{"status":200,"reason":"Fine"}}}"#, "400 to 599"),
        (#"{"effect":{"max-concurrent-streams":1.5}}"#, "whole number"),
        (#"{"effect":{"reset":7},"probability":1.1}"#, "from 0.0 to 1.0"),
        (#"{"effect":{"reset":7},"count":0}"#, "from 1 to"), (#"{"effect":{"reset":7},"until":"now"}"#, "RFC 3339"),
        (#"{"effect":{"reset":7},"until":1}"#, "in the past"),
        (#"{"effect":{"reset":7},"match":{"token":"xyz"}}"#, "hexadecimal"),
        (#"{"effect":{"reset":7},"match":{"topic":"a b"}}"#, "a topic such as"),
        (#"{"effect":{"reset":7},"match":{"collapse-id":"a"}}"#, "known are world, token, topic, app, push-type"),
    ])
    func `a rule that cannot be is answered with what can`(body: String, detail: String) async throws {
        try await withGateway { gateway in
            let answer = try await gateway.control.call("POST", "/api/faults", body)
            #expect(answer.status == 400)
            #expect((answer.json["detail"] as? String)?.contains(detail) == true, "\(answer.body)")
        }
    }

    @Test(arguments: [("BadEnvironmentKeyIdInToken", 403), ("TooManyRequests", 429), ("TopicMismatch", 403)])
    func `a documented reason needs no status, in either spelling`(reason: String, status: Int) async throws {
        try await withGateway(device: "ab12") { gateway in
            let added = try await gateway.control.call(
                "POST", "/api/faults", #"{"effect":{"refuse":{"reason":"\#(reason)"}},"count":1}"#)
            #expect(added.status == 201, "\(added.body)")
            let sender = try await gateway.rawSender()
            var events = sender.observed.makeAsyncIterator()
            try await sender.submit(try gateway.fields(to: "ab12"), body: silent)
            let answer = await sender.answer(on: 1, &events).answer
            #expect(answer.headers.first == ":status: \(status)")
            #expect(answer.body == #"{"reason":"\#(reason)"}"#)
            try await sender.close()
        }
    }

    @Test func `the rule beyond the last is refused`() async throws {
        try await withGateway { gateway in
            for _ in 0..<256 {
                _ = try await gateway.control.call("POST", "/api/faults", #"{"effect":{"reset":7}}"#)
            }
            let answer = try await gateway.control.call("POST", "/api/faults", #"{"effect":{"reset":7}}"#)
            #expect(answer.status == 507)
            #expect((answer.json["detail"] as? String)?.contains("DELETE /api/faults makes room") == true)
        }
    }

    @Test(
        arguments: [
            #"{"goaway":{}}"#, #"{"window":0}"#, #"{"delay":"5s"}"#, #"{"slow-body":"5s"}"#,
            #"{"max-concurrent-streams":1}"#,
        ])
    func `a rule about answers to senders is not used up by the control API`(
        effect: String
    ) async throws {
        try await withGateway(device: "ab12") { gateway in
            let rule = #"{"effect":\#(effect),"count":1}"#
            #expect(try await gateway.control.call("POST", "/api/faults", rule).status == 201)
            let sent = try await gateway.control.call(
                "POST", "/api/notifications", SentNotificationsTests.envelope)
            #expect(sent.json["outcome"] as? String == "accepted" && sent.json["fault"] == nil, "\(sent.body)")
            let left = try await gateway.control.call("GET", "/api/faults").json["faults"] as? [Any]
            #expect(left?.count == 1)
        }
    }
}
