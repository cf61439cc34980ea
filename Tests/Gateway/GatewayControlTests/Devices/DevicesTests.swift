import APNSModel
import GatewayTestSupport
import GatewayTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct DevicesTests {
    @Test func `a device is registered, listed, changed and uninstalled`() async throws {
        try await withGateway { gateway in
            let made = try await gateway.control.call(
                "POST", "/api/devices", #"{"topic":"com.example.agent","kind":"voip"}"#)
            #expect(made.status == 201)
            let token = try #require(made.json["token"] as? String)
            #expect(made.json["topic"] as? String == "com.example.agent.voip")
            #expect(made.headers["location"] == "/api/devices/\(token)")
            let list = try await gateway.control.call("GET", "/api/devices").json
            #expect(list["total"] as? Int == 1)
            #expect((list["devices"] as? [[String: Any]])?.first?["token"] as? String == token)

            let patch = try await gateway.control.call(
                "PATCH", "/api/devices/\(token)",
                #"{"online":false,"low-power":true,"background-refresh":false,"app-state":"force-quit"}"#)
            #expect(patch.status == 200)
            #expect(patch.json["online"] as? Bool == false)
            #expect(patch.json["low-power"] as? Bool == true)
            #expect(patch.json["background-refresh"] as? Bool == false)
            #expect(patch.json["app-state"] as? String == "force-quit")

            #expect(try await gateway.control.call("DELETE", "/api/devices/\(token)").status == 204)
            let gone = try await gateway.control.call("GET", "/api/devices/\(token)").json
            #expect(gone["installed"] as? Bool == false)
            #expect(gone["uninstalled"] is String)
        }
    }

    @Test func `devices are paged`() async throws {
        try await withGateway { gateway in
            for number in 10..<15 { try gateway.register(device: "ab\(number)") }
            let first = try await gateway.control.call("GET", "/api/devices?limit=3").json
            #expect((first["devices"] as? [Any])?.count == 3)
            let next = try #require(first["next"] as? String)
            let second = try await gateway.control.call("GET", "/api/devices?limit=3&cursor=\(next)").json
            #expect((second["devices"] as? [[String: Any]])?.map { $0["token"] as? String } == ["ab13", "ab14"])
            #expect(second["next"] is String == false)
        }
    }

    @Test func `a subscription that cannot be changes nothing of the device`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let answer = try await gateway.control.call(
                "PATCH", "/api/devices/ab12", #"{"online":false,"channels":["AAAA"]}"#)
            #expect(answer.status == 400)
            #expect(answer.body.contains("has no channel"))
            let device = try await gateway.control.call("GET", "/api/devices/ab12")
            #expect(device.body.contains(#""online":true"#))
            #expect(device.body.contains(#""channels":[]"#))
        }
    }
}
