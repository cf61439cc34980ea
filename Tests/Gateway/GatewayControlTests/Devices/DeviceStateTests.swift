import APNSModel
import GatewayCore
import GatewayTestSupport
import GatewayTesting
import Testing

/// The state of a device over the control API, and what it does to deliveries.
@Suite(.timeLimit(.minutes(10)))
struct DeviceStateTests {
    private static let path = "/api/devices/ab12"

    private func stages(_ gateway: TestGateway, _ reply: Reply) async throws -> [String] {
        guard case .accepted(_, let uniqueID?) = reply else { return [] }
        let answer = try await gateway.control.call("GET", "/api/notifications/\(uniqueID)")
        return (answer.json["life"] as? [[String: Any]])?.compactMap { $0["stage"] as? String } ?? []
    }

    @Test func `every state can be set and is shown`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let answer = try await gateway.control.call(
                "PATCH", Self.path,
                #"{"awake":false,"low-power":true,"low-data":true,"background-refresh":false,"notifications":false,"budget":"5/90m","#
                    + #""app-state":"force-quit"}"#)
            #expect(answer.status == 200, "\(answer.body)")
            let device = answer.json
            #expect(device["awake"] as? Bool == false && device["low-power"] as? Bool == true)
            #expect(device["low-data"] as? Bool == true)
            #expect(device["background-refresh"] as? Bool == false && device["notifications"] as? Bool == false)
            #expect(device["budget"] as? String == "5/90m" && device["app-state"] as? String == "force-quit")
            for (text, shown) in [("unlimited", "unlimited"), ("3/60m", "3/1h"), ("default", "default")] {
                let patched = try await gateway.control.call("PATCH", Self.path, #"{"budget":"\#(text)"}"#)
                #expect(patched.json["budget"] as? String == shown)
            }
        }
    }

    @Test(arguments: ["3", "3/", "/1h", "0/1h", "1001/1h", "3/31d", "-3/1h", "3/1h/2", "three/1h", "+3/1h", "3/0ms"])
    func `a budget that is none is refused with what is wanted`(text: String) async throws {
        try await withGateway(device: "ab12") { gateway in
            let answer = try await gateway.control.call("PATCH", Self.path, #"{"budget":"\#(text)"}"#)
            #expect(answer.status == 400)
            #expect(answer.body.contains("such as 3/1h, or unlimited, or default"), "\(answer.body)")
        }
    }

    @Test func `what is held is shown with its cause and its time, and goes when the clock gets there`() async throws {
        try await withGateway(device: "ab12", clock: .manual()) { gateway in
            _ = try await gateway.control.call("PATCH", Self.path, #"{"budget":"1/30m"}"#)
            try await gateway.push(to: "ab12")
            let held = try await gateway.push(to: "ab12")
            let device = try await gateway.control.call("GET", Self.path).json
            #expect((device["counted"] as? [String])?.count == 1)
            let stored = try #require((device["stored"] as? [[String: Any]])?.first)
            #expect(stored["held-for"] as? String == "budget" && stored["held-until"] is String)
            #expect(try await stages(gateway, held) == ["accepted", "throttled"])
            _ = try await gateway.control.call("POST", "/api/clock/advance", #"{"by":"30m"}"#)
            #expect(try await stages(gateway, held) == ["accepted", "throttled", "delivered"])
            #expect(gateway.deliveries(to: "ab12").count == 2)
        }
    }

    @Test(arguments: DeviceTokenChange.allCases)
    func `an app that is installed anew or restored gets another device token`(change: DeviceTokenChange) async throws {
        try await withGateway(device: "ab12", clock: .manual()) { gateway in
            let answer = try await gateway.control.call(
                "POST", Self.path + "/\(change.rawValue)", #"{"noticed-after":"10m"}"#)
            #expect(answer.status == 201, "\(answer.body)")
            let next = try #require(answer.json["token"] as? String)
            #expect(answer.headers["location"] == "/api/devices/\(next)")
            #expect(answer.json["replaces"] as? String == "ab12")
            #expect(try await gateway.push(to: next).isAccepted)
            #expect(try await gateway.push(to: "ab12").isAccepted, "the gateway has not noticed yet")
            gateway.advance(by: .seconds(600))
            let refused = try await gateway.push(to: "ab12")
            #expect(refused.reason == .unregistered)
            let old = try await gateway.control.call("GET", Self.path).json
            #expect(old["replaced-by"] as? String == next && old["installed"] as? Bool == false)
            let again = try await gateway.control.call("POST", Self.path + "/\(change.rawValue)")
            #expect(again.status == 409)
        }
    }

    @Test func `an uninstall can be noticed late`() async throws {
        try await withGateway(device: "ab12", clock: .manual()) { gateway in
            let removed = try await gateway.control.call("DELETE", Self.path + "?noticed-after=10m")
            #expect(removed.status == 204)
            let early = try await gateway.push(to: "ab12")
            #expect(early.isAccepted)
            gateway.advance(by: .seconds(600))
            let late = try await gateway.push(to: "ab12")
            #expect(late.reason == .unregistered)
        }
    }

    @Test(arguments: [
        ("POST", "/reinstall", #"{"noticed-after":"soon"}"#, 400),
        ("POST", "/reinstall", #"{"noticed-after":"-1s"}"#, 400),
        ("POST", "/reinstall", #"{"when":"1s"}"#, 400), ("POST", "/upgrade", "{}", 404), ("GET", "/restore", "", 405),
        ("DELETE", "?noticed-after=soon", "", 400), ("DELETE", "?noticed-after=-1s", "", 400),
    ])
    func `a change of the device token that cannot be is refused`(
        method: String, path: String, body: String, status: Int
    ) async throws {
        try await withGateway(device: "ab12") { gateway in
            let answer = try await gateway.control.call(method, Self.path + path, body.isEmpty ? nil : body)
            #expect(answer.status == status, "\(answer.body)")
            #expect(try await gateway.push(to: "ab12").isAccepted)
            let unknown = try await gateway.control.call("POST", "/api/devices/cafe/reinstall")
            #expect(unknown.status == 404)
        }
    }

    @Test func `a subscriber gets the new device token, and its stream ends`() async throws {
        try await withGateway(device: "ab12") { gateway in
            try await gateway.control.events(Self.path + "/deliveries") { events in
                let answer = try await gateway.control.call("POST", Self.path + "/reinstall")
                let next = try #require(answer.json["token"] as? String)
                let event = try await events.next()
                #expect(event?.name == "token")
                #expect(event?.data == #"{"token":"\#(next)"}"#)
                let end = try await events.next()
                #expect(end == nil)
            }
        }
    }

    @Test func `a throttled notification is an event`() async throws {
        try await withGateway(device: "ab12") { gateway in
            _ = try await gateway.control.call("PATCH", Self.path, #"{"background-refresh":false}"#)
            try await gateway.control.events("/api/events") { events in
                try await gateway.push(to: "ab12")
                let verdict = try await events.next()
                #expect(verdict?.name == "notification")
                let held = try await events.next()
                #expect(held?.name == "throttled")
                #expect(held?.data.contains("background refresh is off for the app") == true)
            }
        }
    }

    @Test func `a device token that has expired is valid again, when that is set or the app reports it`() async throws {
        try await withGateway(device: "ab12") { gateway in
            func isAccepted() async throws -> Bool { try await gateway.push(to: "ab12").isAccepted }
            _ = try await gateway.control.call("PATCH", Self.path, #"{"expires":1}"#)
            #expect(try await !isAccepted())
            let never = try await gateway.control.call("PATCH", Self.path, #"{"expires":"never"}"#)
            #expect(never.status == 200 && never.json["expires"] == nil, "\(never.body)")
            #expect(try await isAccepted())
            _ = try await gateway.control.call("PATCH", Self.path, #"{"expires":1}"#)
            let reported = try await gateway.control.call(
                "POST", "/api/devices", #"{"topic":"com.example.agent","token":"ab12"}"#)
            #expect(reported.json["expires"] == nil, "\(reported.body)")
            #expect(try await isAccepted())
            // A time to come stays.
            _ = try await gateway.control.call("PATCH", Self.path, #"{"expires":"2999-01-01T00:00:00Z"}"#)
            let again = try await gateway.control.call(
                "POST", "/api/devices", #"{"topic":"com.example.agent","token":"ab12"}"#)
            #expect(again.json["expires"] as? String == "2999-01-01T00:00:00.000Z", "\(again.body)")
        }
    }
}
