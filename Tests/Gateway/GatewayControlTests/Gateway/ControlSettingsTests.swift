import GatewayCore
import GatewayTestSupport
import GatewayTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ControlSettingsTests {
    @Test func `settings are shown, changed, and brought back by a reset`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let before = try await gateway.control.call("GET", "/api/settings")
            #expect(before.status == 200)
            let usual =
                #"{"availability":"serving","devices":"strict","any-key":false,"unregistered-delay":"0s","#
                + #""device-rate":"off","channel-rate":"off","idle-timeout":"off","max-concurrent-streams":1000,"budgets":{"silent":"unlimited","complication":"unlimited","#
                + #""location":"unlimited","liveactivity":"unlimited","widgets":"unlimited","controls":"unlimited"},"contested":{"#
            #expect(before.body.hasPrefix(usual), "\(before.body)")
            for setting in ContestedSetting.all {
                #expect(before.body.contains("\"\(setting.name)\":\"\(setting.words[0])\""), "\(setting.name)")
            }
            let change =
                #"{"availability":"failing","devices":"open","any-key":true,"unregistered-delay":"90s","#
                + #""device-rate":"10/1m","channel-rate":"2/250ms","idle-timeout":"2h","max-concurrent-streams":7,"#
                + #""budgets":{"silent":"2/1h","complication":"9/2d","location":"1/5ms","liveactivity":"unlimited","#
                + #""widgets":"3/1h","controls":"4/1m"},"contested":{"malformed-json":"refuse","retry-after":"on"}}"#
            let changed = try await gateway.control.call("PATCH", "/api/settings", change)
            #expect(changed.status == 200, "\(changed.body)")
            let own = try #require(change.firstRange(of: #""contested":{"#))
            #expect(changed.body.hasPrefix(change[..<own.upperBound]), "\(changed.body)")
            #expect(changed.body.contains(#""malformed-json":"refuse""#))
            let other = try await gateway.control.call("PATCH", "/api/settings", #"{"availability":"serving"}"#)
            #expect(other.body.contains(#""device-rate":"10/1m""#), "what is not named stays")
            let off = try await gateway.control.call(
                "PATCH", "/api/settings", #"{"device-rate":"off","idle-timeout":"off"}"#)
            #expect(off.body.contains(#""device-rate":"off""#) && off.body.contains(#""idle-timeout":"off""#))
            let reset = try await gateway.control.call("POST", "/api/reset")
            #expect(reset.status == 204)
            let after = try await gateway.control.call("GET", "/api/settings")
            #expect(after.body == before.body)
        }
    }

    @Test func `changed settings are an event, and what changes nothing is none`() async throws {
        try await withGateway { gateway in
            let event = try await gateway.control.events("/api/events") { reader in
                _ = try await gateway.control.call("PATCH", "/api/settings", #"{"any-key":false}"#)
                _ = try await gateway.control.call("PATCH", "/api/settings", #"{"budgets":{"silent":"2/1h"}}"#)
                return try await reader.next()
            }
            #expect(event?.name == "settings")
            #expect(event?.data == (try await gateway.control.call("GET", "/api/settings").body))
            #expect(event?.data.contains(#""silent":"2/1h""#) == true)
        }
    }

    @Test(arguments: [
        (#"{"availability":"gone"}"#, "one of serving, failing, overloaded, stopping"),
        (#"{"device-rate":"ten"}"#, "a count and a duration such as 10/1m, or off"),
        (#"{"device-rate":10}"#, "a string"), (#"{"idle-timeout":"0s"}"#, "longer than 0, or off"),
        (#"{"unregistered-delay":"-1s"}"#, "0s or longer"), (#"{"max-concurrent-streams":0}"#, "a whole number from 1"),
        (#"{"budgets":{"silent":"0/1h"}}"#, "such as 3/1h, or unlimited"),
        (#"{"budgets":{"silent":3}}"#, "a string"), (#"{"budgets":{"loud":"3/1h"}}"#, "known are silent, complication"),
        (#"{"contested":{"malformed-json":"perhaps"}}"#, "accept or refuse"),
        (#"{"contested":{"malformed-jsn":"refuse"}}"#, "malformed-json"), (#"{"retain":1}"#, "is not known here"),
    ])
    func `what cannot be set is reported, and nothing of the request is`(body: String, says: String) async throws {
        try await withGateway { gateway in
            let before = try await gateway.control.call("GET", "/api/settings")
            let both = #"{"any-key":true,"# + body.dropFirst()
            let answer = try await gateway.control.call("PATCH", "/api/settings", both)
            #expect(answer.status == 400 && answer.body.contains(says), "\(answer.body)")
            let after = try await gateway.control.call("GET", "/api/settings")
            #expect(after.body == before.body)
        }
    }
}
