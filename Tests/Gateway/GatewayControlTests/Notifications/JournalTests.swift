import APNSModel
import GatewayTestSupport
import GatewayTesting
import Testing

/// The journal over the control API.
@Suite(.timeLimit(.minutes(10)))
struct JournalTests {
    @Test func `the journal is listed newest first, filtered and paged`() async throws {
        try await withGateway(device: "ab12") { gateway in
            for number in 0..<3 { try await gateway.push(to: "ab12", "\(number)") }
            try await gateway.push(to: "ab34")
            let all = try await gateway.control.call("GET", "/api/notifications").json
            #expect(all["total"] as? Int == 4)
            let entries = try #require(all["notifications"] as? [[String: Any]])
            #expect(entries.map { $0["outcome"] as? String } == ["refused", "accepted", "accepted", "accepted"])
            let refused = try #require(entries.first)
            #expect(refused["reason"] as? String == "BadDeviceToken")
            #expect(refused["status"] as? Int == 400)
            #expect(refused["rule"] is String && refused["why"] is String && refused["received"] is String)
            #expect(refused["apns-priority"] as? Int == 5)
            #expect((refused["payload"] as? [String: Any])?["n"] as? String == "1")

            let page = try await gateway.control.call("GET", "/api/notifications?outcome=accepted&limit=2").json
            #expect(page["total"] as? Int == 3)
            #expect((page["notifications"] as? [Any])?.count == 2)
            let next = try #require(page["next"] as? String)
            let last = try await gateway.control.call(
                "GET", "/api/notifications?outcome=accepted&limit=2&cursor=\(next)"
            ).json
            #expect((last["notifications"] as? [[String: Any]])?.count == 1)
            #expect(last["next"] is String == false)
        }
    }

    @Test(arguments: [
        ("reason=BadDeviceToken", 1), ("token=AB12", 1), ("topic=com.example.agent", 2), ("push-type=alert", 0),
        ("collapse-id=x", 0), ("q=BACKGROUND", 2), ("q=needle", 1), ("q=%6Eeedle", 1),
        ("since=2000-01-01T00:00:00Z", 2),
        ("since=9999-01-01T00:00:00Z", 0), ("apns-id=00000000-0000-0000-0000-000000000000", 0),
    ])
    func `each filter chooses`(query: String, count: Int) async throws {
        try await withGateway(device: "ab12") { gateway in
            try await gateway.push(to: "ab12", "needle")
            try await gateway.push(to: "ab34")
            let answer = try await gateway.control.call("GET", "/api/notifications?\(query)")
            #expect(answer.json["total"] as? Int == count)
        }
    }

    @Test func `one notification is shown with its life, and the journal is emptied`() async throws {
        try await withGateway(device: "ab12") { gateway in
            guard case .accepted(_, let id?) = try await gateway.push(to: "ab12") else {
                throw TestGatewayError("no id")
            }
            let one = try await gateway.control.call("GET", "/api/notifications/\(id)").json
            let life = try #require(one["life"] as? [[String: Any]])
            #expect(life.map { $0["stage"] as? String } == ["accepted", "delivered"])
            #expect(try await gateway.control.call("DELETE", "/api/notifications").status == 204)
            #expect(try await gateway.control.call("GET", "/api/notifications").json["total"] as? Int == 0)
            #expect(try await gateway.control.call("GET", "/api/notifications/\(id)").status == 404)
        }
    }

    @Test func `a body that is not JSON is shown as base64`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let sender = try await gateway.rawSender()
            var events = sender.observed.makeAsyncIterator()
            try await sender.submit(try gateway.fields(to: "ab12"), body: "{nope")
            _ = await sender.answer(on: 1, &events)
            let all = try await gateway.control.call("GET", "/api/notifications").json
            let entry = try #require((all["notifications"] as? [[String: Any]])?.first)
            #expect(entry["payload"] == nil)
            #expect(entry["payload-base64"] as? String == "e25vcGU=")
            try await sender.close()
        }
    }
}
