import APNSModel
import GatewayTestSupport
import GatewayTesting
import ProviderToken
import Testing

/// Apps, keys and the clock of a world.
@Suite(.timeLimit(.minutes(10)))
struct RegistryTests {
    @Test func `the clock is set and advanced, and what is stored expires by it`() async throws {
        try await withGateway(device: "ab12", clock: .manual()) { gateway in
            try gateway.setOnline(false, device: "ab12")
            guard case .accepted(_, let id?) = try await gateway.push(to: "ab12") else {
                throw TestGatewayError("no id")
            }
            let moved = try await gateway.control.call("POST", "/api/clock/advance", #"{"by":"31d"}"#)
            #expect(moved.status == 200)
            #expect(moved.json["mode"] as? String == "manual")
            let one = try await gateway.control.call("GET", "/api/notifications/\(id)").json
            let life = try #require(one["life"] as? [[String: Any]])
            #expect(life.map { $0["stage"] as? String } == ["accepted", "stored", "expired"])

            let set = try await gateway.control.call(
                "PUT", "/api/clock", #"{"mode":"manual","now":"2030-01-01T00:00:00Z"}"#)
            #expect(set.body == #"{"mode":"manual","now":"2030-01-01T00:00:00.000Z"}"#)
            #expect(try await gateway.control.call("GET", "/api/clock").body == set.body)
            let real = try await gateway.control.call("PUT", "/api/clock", #"{"mode":"real"}"#)
            #expect(real.json["mode"] as? String == "real")
        }
    }

    @Test func `a negative step moves the clock back`() async throws {
        try await withGateway(clock: .manual()) { gateway in
            _ = try await gateway.control.call(
                "PUT", "/api/clock", #"{"mode":"manual","now":"2030-01-01T00:00:00Z"}"#)
            let moved = try await gateway.control.call("POST", "/api/clock/advance", #"{"by":"-5s"}"#)
            #expect(moved.body == #"{"mode":"manual","now":"2029-12-31T23:59:55.000Z"}"#)
        }
    }

    @Test func `apps and keys are listed and added`() async throws {
        try await withGateway { gateway in
            let app = try await gateway.control.call(
                "POST", "/api/apps", #"{"topic":"com.example.other","team-id":"ABCDE12345","capabilities":["push"]}"#)
            #expect(app.status == 201)
            let apps = try #require(
                try await gateway.control.call("GET", "/api/apps").json["apps"] as? [[String: Any]])
            #expect(apps.map { $0["topic"] as? String } == ["com.example.agent", "com.example.other"])

            let pem = gateway.signingKey.publicKey.pem.replacing("\n", with: "\\n")
            let key = try await gateway.control.call(
                "POST", "/api/keys",
                #"{"key-id":"ABC123DEFG","team-id":"ABCDE12345","public-key":"\#(pem)","kind":"topic","topics":["a.b"],"environments":["sandbox"]}"#
            )
            #expect(key.status == 201)
            let keys = try #require(
                try await gateway.control.call("GET", "/api/keys").json["keys"] as? [[String: Any]])
            #expect(keys.map { $0["key-id"] as? String } == [gateway.keyID.value, "ABC123DEFG"])
            #expect(keys.last?["topics"] as? [String] == ["a.b"])
        }
    }

    @Test(
        arguments: [
            (#""kind":"topic","topics":["a.b"]"#, 201, #""environments":["production"]"#),
            (#""kind":"topic","topics":["a.b"],"environments":["sandbox"]"#, 201, #""environments":["sandbox"]"#),
            (#""kind":"topic","topics":["a.b"],"environments":["sandbox","production"]"#, 400, "one environment"),
            (#""kind":"team""#, 201, #""environments":["production","sandbox"]"#),
        ])
    func `a topic-specific key is for one environment`(members: String, status: Int, says: String) async throws {
        try await withGateway(environment: .production) { gateway in
            let pem = gateway.signingKey.publicKey.pem.replacing("\n", with: "\\n")
            let answer = try await gateway.control.call(
                "POST", "/api/keys",
                #"{"key-id":"ABC123DEFG","team-id":"ABCDE12345","public-key":"\#(pem)",\#(members)}"#)
            #expect(answer.status == status)
            #expect(answer.body.contains(says), "\(answer.body)")
        }
    }

    @Test func `a revoked key is refused, listed as revoked, and revoked once`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let accepted = try await gateway.push(to: "ab12")
            #expect(accepted.isAccepted)
            let revoked = try await gateway.control.call("DELETE", "/api/keys/\(gateway.keyID)")
            #expect(revoked.status == 204)
            let keys = try await gateway.control.call("GET", "/api/keys")
            #expect(keys.body.contains(#""revoked":true"#), "\(keys.body)")
            let refused = try await gateway.push(to: "ab12")
            #expect(refused.reason == .invalidProviderToken)
            let again = try await gateway.control.call("DELETE", "/api/keys/\(gateway.keyID)")
            #expect(again.status == 404 && again.body.contains("already revoked"), "\(again.body)")
            let reset = try await gateway.control.call("POST", "/api/reset")
            #expect(reset.status == 204)
            try gateway.register(device: "ab12")
            let back = try await gateway.push(to: "ab12")
            #expect(back.isAccepted)
        }
    }
}
