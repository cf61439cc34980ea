import APNSModel
import PushDispatch
import Testing

@testable import apns

struct PersonDevicesTests {
    private static func row(_ token: String, _ bundle: String, _ service: String = "Apple") -> JSONValue {
        ["ConnectionToken": .string(token), "ServiceType": .string(service), "ApplicationBundle": .string(bundle)]
    }

    private static let one = PersonDevices([row("aa", "com.example.a"), row("x:APA", "com.example.a", "androidGcm")])
    private static let two = PersonDevices([row("aa", "com.example.a"), row("bb", "com.example.b")])

    @Test func `devices of Apple's service with the app are taken, and its topic where none is given`() throws {
        #expect(one.tokens.map(\.hex) == ["aa"])
        let all = try one.of(nil, user: "ada")
        #expect(all.topic == Topic("com.example.a") && all.tokens.map(\.hex) == ["aa"])
        let topic = try #require(Topic("com.example.b.voip"))
        let chosen = try two.of(topic, user: "ada")
        #expect(chosen.topic == topic && chosen.tokens.map(\.hex) == ["bb"])
    }

    private var one: PersonDevices { PersonDevicesTests.one }
    private var two: PersonDevices { PersonDevicesTests.two }

    @Test func `without the app, and with several, the apps are named`() throws {
        let several = #expect(throws: CommandError.self) { try two.of(nil, user: "ada") }
        #expect(
            several?.message == "ada has devices with several apps: give --topic, one of com.example.a, com.example.b")
        let other = try #require(Topic("com.example.c"))
        let none = #expect(throws: CommandError.self) { try one.of(other, user: "ada") }
        #expect(none?.message == "ada has no device with the app com.example.c, but with com.example.a")
    }
}
