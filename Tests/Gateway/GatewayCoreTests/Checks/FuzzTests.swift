import APNSModel
import TestSeeds
import Testing

@testable import GatewayCore

struct FuzzTests {
    static let words = [
        "", " ", "0", "5", "10", "-1", "999999999999999999999", "alert", "voip", "background", "mdm",
        "com.example.agent",
        "com.example.agent.voip", ".voip", "a.push-type.liveactivity", "\u{0}\u{1}", "é", "\u{fffd}",
        "9d1f0a52-1111-4222-8333-abcdefabcdef",
        "bearer a.b.c", "Bearer ", "/3/device/", "/3/device/ab12", "/3/device/%00", "/", "POST", "GET", "{}", "{",
        "[[[[",
        #"{"aps":{"alert":1,"content-available":true}}"#,
    ]

    /// A word, a word cut short or doubled, or random bytes.
    static func text(_ generator: inout SeededGenerator) -> String {
        let word = words.randomElement(using: &generator) ?? ""
        switch generator.next() % 8 {
        case 0: return String(word.dropLast())
        case 1: return String(repeating: word, count: Int(generator.next() % 40))
        case 2:
            let bytes = (0..<generator.next() % 64).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            return String(decoding: bytes, as: UTF8.self)
        default: return word
        }
    }

    @Test(arguments: [WorldSettings.UnknownDevicePolicy.open, .strict], TestSeed.all([42]))
    func `random requests get exactly one verdict each and never crash`(
        registration: WorldSettings.UnknownDevicePolicy, seed: TestSeed
    ) throws {
        let authorization = try Scenario().request().authorization
        var running = try Scenario().with {
            $0.settings.unknownDevices = registration
            $0.settings.retain = 50
            $0.settings.maximumDevices = 20
        }.run()
        var generator = SeededGenerator(seed: seed.value)
        var rules: Set<String> = []
        for round in 0..<20_000 {
            var head = try Scenario().request()
            head.authorization = authorization
            // Most of the request stays good, so that every step is reached.
            for _ in 0..<generator.next() % 4 {
                let word = Self.text(&generator)
                switch generator.next() % 11 {
                case 0: head.method = word
                case 1: head.path = word
                case 2: head.authorization = word
                case 3: head.topic = word
                case 4: head.pushType = word
                case 5: head.apnsID = word
                case 6: head.expiration = word
                case 7: head.priority = word
                case 8: head.collapseID = word
                case 9: head.path = "/3/device/" + String(generator.next() % 100_000, radix: 16)
                default: head.duplicated = [word]
                }
            }
            let body = generator.next() % 3 == 0 ? Array(Self.text(&generator).utf8) : Scenario().body
            let judgement = running.send(head, body)
            rules.insert(judgement.verdict.rule)
            #expect(judgement.sequence == UInt64(round))
            #expect(judgement.verdict.isAccepted == judgement.response?.body.isEmpty)
            #expect(judgement.verdict.isAccepted == (judgement.verdict.rule == "accepted"))
            #expect(NotificationID(judgement.response?.apnsID ?? "") != nil)
            #expect(running.world.journalCount <= 50)
            if round % 1000 == 0 { running.connection = GatewayConnection(environment: .sandbox) }
            randomStep(&running, &generator)
        }
        #expect(rules.count >= 15, "\(rules.sorted())")
        #expect(running.world.devices(in: .sandbox, limit: .max).devices.count <= 20)
    }

    /// Something that a client of the control API or a device does.
    func randomStep(_ running: inout Running, _ generator: inout SeededGenerator) {
        let devices = running.world.devices(in: .sandbox, limit: 20).devices
        guard let token = devices.randomElement(using: &generator)?.token else { return }
        switch generator.next() % 40 {
        case 0: _ = running.world.subscribe(token, in: .sandbox, after: Self.text(&generator), real: 0)
        case 1: _ = running.world.subscribe(token, in: .sandbox, real: 0)
        case 2, 3: running.world.unsubscribe(token, in: .sandbox, real: 0)
        case 4: _ = running.world.patch(token, in: .sandbox, DevicePatch(isOnline: generator.next() % 2 == 0), real: 0)
        case 5: _ = running.world.notifications()
        default: break
        }
    }

    @Test(arguments: TestSeed.all([3]))
    func `a device token and an id are read from bytes as from text`(seed: TestSeed) {
        var generator = SeededGenerator(seed: seed.value)
        let texts =
            Self.words + ["AB", "aBcD09", "abc", "ag", "0:", "/0", "GG", "éé", "ab\u{0}\u{0}"]
            + (0..<2_000).map { _ in Self.text(&generator) }
        for text in texts {
            let read = Array(text.utf8).withUnsafeBufferPointer { DeviceToken(utf8: $0) }
            #expect(read == DeviceToken(text))
            #expect(NotificationID(checking: text)?.text == NotificationID(text)?.text)
        }
    }

    @Test(arguments: TestSeed.all([1]))
    func `header bytes of any kind are read`(seed: TestSeed) {
        var generator = SeededGenerator(seed: seed.value)
        var known = KnownValues()
        for _ in 0..<5_000 {
            var head = RequestHead()
            for _ in 0..<generator.next() % 20 {
                let name = (0..<generator.next() % 18).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
                let value = (0..<generator.next() % 600).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
                name.withUnsafeBytes { name in
                    value.withUnsafeBytes { head.add(name: name, value: $0, known: &known) }
                }
            }
            #expect(head.path.isEmpty)
        }
    }

    @Test(arguments: TestSeed.all([2]))
    func `a value that comes again is read as the first time`(seed: TestSeed) {
        var generator = SeededGenerator(seed: seed.value)
        var known = KnownValues()
        let values = ["com.example.agent", "com.example.agenT", "com.example.agent.", "", "ü", "bearer a", "bearer b"]
        for _ in 0..<500 {
            let value = values.randomElement(using: &generator)!
            var head = RequestHead()
            for name in [":authority", "authorization", "apns-topic"] {
                Array(name.utf8).withUnsafeBytes { name in
                    Array(value.utf8).withUnsafeBytes { head.add(name: name, value: $0, known: &known) }
                }
            }
            #expect([head.authority, head.authorization, head.topic] == [value, value, value])
        }
    }
}
