import APNSModel
import APNSPayload
import Testing

@testable import GatewayCore

/// What was seen on the wire, docs/reference/apns.md 2.3 "Mismatches" and 3.5.
struct ObservationTests {
    static let voipToken = String(repeating: "cd34", count: 16)
    static let activityToken = String(repeating: "ef", count: 80)

    /// A world with an app token, a VoIP token and a Live Activity token of one app.
    static func scenario(topic: String?, pushType: String?, token: String) -> Scenario {
        Scenario().with {
            $0.devices += [
                DeviceRegistration(topic: Scenario.topic, token: voipToken, kind: .voip),
                DeviceRegistration(topic: Scenario.topic, token: activityToken, kind: .liveactivity),
            ]
            $0.head.topic = topic
            $0.head.pushType = pushType
            $0.head.path = "/3/device/" + token
        }
    }

    @Test(arguments: ["alert", "background"])
    func `a voip topic with another push type is InvalidPushType`(pushType: String) throws {
        let scenario = Self.scenario(topic: Scenario.topic + ".voip", pushType: pushType, token: Self.voipToken)
        #expect(try scenario.verdict().reason == .invalidPushType)
    }

    @Test(arguments: [nil, "voip"])
    func `a voip topic without a push type, or with voip, is accepted`(pushType: String?) throws {
        let scenario = Self.scenario(topic: Scenario.topic + ".voip", pushType: pushType, token: Self.voipToken)
        #expect(try scenario.verdict().isAccepted)
    }

    @Test func `push type voip with the bare topic and a VoIP token is DeviceTokenNotForTopic`() throws {
        let scenario = Self.scenario(topic: Scenario.topic, pushType: "voip", token: Self.voipToken)
        #expect(try scenario.verdict().reason == .deviceTokenNotForTopic)
    }

    @Test func `an unknown word for a push type is InvalidPushType`() throws {
        let scenario = Self.scenario(topic: Scenario.topic, pushType: "silent", token: Scenario.token)
        #expect(try scenario.verdict().reason == .invalidPushType)
    }

    @Test func `a provider token without a topic is MissingTopic`() throws {
        let scenario = Self.scenario(topic: nil, pushType: "alert", token: Scenario.token)
        #expect(try scenario.verdict().reason == .missingTopic)
    }

    @Test func `a bundle id that does not exist, with a good device token, is TopicDisallowed`() throws {
        let scenario = Self.scenario(topic: "com.example.nowhere", pushType: "alert", token: Scenario.token)
        #expect(try scenario.verdict().reason == .topicDisallowed)
    }

    @Test func `an app without the push capability is TopicDisallowed`() throws {
        let scenario = Scenario().with {
            $0.apps = [RegisteredApp(topic: Scenario.topic, teamID: Keys.team, capabilities: [])]
        }
        #expect(try scenario.verdict().reason == .topicDisallowed)
    }

    @Test func `an invented suffix with a Live Activity token is TopicDisallowed`() throws {
        let scenario = Self.scenario(
            topic: Scenario.topic + ".pushnotification.liveactivity", pushType: "liveactivity",
            token: Self.activityToken)
        #expect(try scenario.verdict().reason == .topicDisallowed)
    }

    @Test func `the bare bundle id with a Live Activity token is DeviceTokenNotForTopic`() throws {
        let scenario = Self.scenario(topic: Scenario.topic, pushType: "liveactivity", token: Self.activityToken)
        #expect(try scenario.verdict().reason == .deviceTokenNotForTopic)
    }

    @Test func `the invented suffix with a token of the other environment is BadDeviceToken`() throws {
        let scenario = Self.scenario(
            topic: Scenario.topic + ".pushnotification.liveactivity", pushType: "liveactivity", token: "feed"
        ).with {
            $0.devices.append(
                DeviceRegistration(
                    topic: Scenario.topic, token: "feed", environment: .production, kind: .liveactivity))
        }
        #expect(try scenario.verdict().reason == .badDeviceToken)
    }

    @Test func `a device token without a topic of its own app is DeviceTokenNotForTopic`() throws {
        let scenario = Scenario().with {
            $0.apps.append(RegisteredApp(topic: "com.example.chat", teamID: Keys.team))
            $0.head.topic = "com.example.chat"
        }
        #expect(try scenario.verdict().reason == .deviceTokenNotForTopic)
    }

    @Test func `GET without credentials is MethodNotAllowed`() throws {
        let scenario = Scenario().with {
            $0.hasAuthorization = false
            $0.head.method = "GET"
        }
        #expect(try scenario.verdict().reason == .methodNotAllowed)
    }

    @Test func `POST of an empty object to a short token without credentials is MissingProviderToken`() throws {
        let scenario = Scenario().with {
            $0.hasAuthorization = false
            $0.head = RequestHead(path: "/3/device/aaaa")
            $0.body = Array("{}".utf8)
        }
        #expect(try scenario.verdict().reason == .missingProviderToken)
    }

    @Test func `the path without a device token is refused for its credentials first`() throws {
        let scenario = Scenario().with { $0.head.path = "/3/device/" }
        #expect(try scenario.with { $0.hasAuthorization = false }.verdict().reason == .missingProviderToken)
        #expect(try scenario.verdict().reason == .missingDeviceToken)
    }

    @Test func `64 zeros with the token of an unknown key is InvalidProviderToken`() throws {
        let scenario = Scenario().with {
            $0.keyID = "UNKNOWN001"
            $0.head.path = "/3/device/" + String(repeating: "0", count: 64)
        }
        #expect(try scenario.verdict().reason == .invalidProviderToken)
    }

    @Test func `a body of {} is not empty, and one that is not JSON is accepted for the device to drop`() throws {
        #expect(try Scenario().with { $0.body = Array("{}".utf8) }.verdict().isAccepted)
        let entry = try Scenario().with { $0.body = Array("hello".utf8) }.entry()
        #expect(entry.verdict.isAccepted)
        #expect(entry.findings.contains { $0.rule == "payload-json" })
    }

    @Test(arguments: [
        "/3/device", "/3/device/ab12/", "/3/device/ab12?x=1", "/3/devices/ab12", "/1/apps/a/channel",
        "/1/apps//channels", "/4/broadcasts/apps/", "/4/broadcasts/apps/a/b", "/1/apps/a/channels?x=1", "*", "",
    ])
    func `other paths are BadPath`(path: String) throws {
        #expect(try Scenario().with { $0.head.path = path }.verdict().reason == .badPath)
    }

    @Test(arguments: [("", 4096, nil), (".voip", 5120, nil), ("", 4096, "alert"), (".voip", 5120, "voip")])
    func `exactly the largest payload is accepted`(suffix: String, largest: Int, pushType: String?) throws {
        var scenario = Self.scenario(
            topic: Scenario.topic + suffix, pushType: pushType, token: suffix.isEmpty ? Scenario.token : Self.voipToken)
        scenario.body = Array("{}".utf8) + Array(repeating: 0x20, count: largest - 2)
        #expect(try scenario.verdict().isAccepted)
        scenario.body.append(0x20)
        let verdict = try scenario.verdict()
        #expect(verdict.reason == .payloadTooLarge)
        #expect(verdict.why.contains("\(largest + 1) bytes"))
    }
}
