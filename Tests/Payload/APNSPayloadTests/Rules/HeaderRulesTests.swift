import APNSModel
import APNSPayload
import TestSeeds
import Testing

/// Which headers the rules report and, above all, which they do not.
struct HeaderRulesTests {
    private func messages(_ envelope: Envelope, of rule: Rule) -> [String] {
        var validator = Validator(rules: [rule])
        return validator.findings(for: envelope).map(\.message)
    }

    @Test func `no rule reports a push type with its topic, a documented priority and expiration 0`() {
        var validator = Validator(rules: Rule.all.filter { $0.layer == .gateway || $0.layer == .delivery })
        let payloads: [PushType: String] = [
            .alert: #"{"aps":{"alert":"Hi"}}"#, .background: #"{"aps":{"content-available":1}}"#,
            .controls: #"{"aps":{"content-changed":true}}"#, .widgets: #"{"aps":{"content-changed":true}}"#,
            .liveactivity: #"{"aps":{"timestamp":1767225600,"event":"update","content-state":{}}}"#,
            .mdm: #"{"mdm":"B7C1"}"#, .fileprovider: #"{"container-identifier":"root"}"#,
        ]
        let priorities: [PushType: [String?]] = [
            .alert: [nil, "10", "5", "1"], .background: ["5"], .liveactivity: [nil, "10", "5"],
            .location: [nil, "10", "5"], .pushtotalk: [nil, "10"], .voip: [nil, "10"],
        ]
        for pushType in PushType.known {
            let bundleID =
                pushType == .mdm ? "com.apple.mgmt.External.5f2d1c3e-0b1a-4c6d-9e8f-112233445566" : "com.example.agent"
            for priority in priorities[pushType] ?? [nil, "10", "5"] {
                let envelope = Envelope(
                    kind: .envelope, token: String(repeating: "0aF1", count: 16),
                    topic: bundleID + (pushType.topicSuffix ?? ""), pushType: pushType.rawValue, priority: priority,
                    expiration: "0", collapseID: "a/b:c~d é", apnsID: "9D1F3C2A-5b6e-4f70-8a91-b2c3d4e5f607",
                    payload: Array((payloads[pushType] ?? #"{"aps":{}}"#).utf8))
                #expect(validator.findings(for: envelope).isEmpty, "\(pushType) \(priority ?? "no priority")")
            }
        }
    }

    @Test(arguments: TestSeed.all(1...10))
    func `no device token or id that the types allow is an error`(seed: TestSeed) {
        var generator = seed.generator
        var validator = Validator()
        for _ in 0..<30 {
            let bytes = (0..<Int.random(in: 1...120, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            let hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            let notification = APNSNotification(
                to: DeviceToken(hex)!, topic: Topic("com.example.agent")!, pushType: .alert,
                id: NotificationID(using: &generator), payload: Array(#"{"aps":{"alert":"Hi"}}"#.utf8))
            #expect(validator.firstError(for: Envelope(notification)) == nil)
        }
    }

    @Test(arguments: ["", "<00fc13ad ff785122>", "00fc 13ad", "0x00fc", "00fc1", "00é0"])
    func `the message about a wrong device token says what it is`(token: String) throws {
        let found = messages(Envelope(kind: .envelope, token: token, payload: Array("{}".utf8)), of: .deviceTokenForm)
        let problem = try #require(DeviceTokenProblem(token))
        #expect(found == ["the device token \(problem); \(problem.advice)"])
    }

    @Test(arguments: [
        ("Alert", "did you mean alert?"), ("live-activity", "did you mean liveactivity?"),
        ("VOIP", "did you mean voip?"),
        ("backgrond", "did you mean background?"),
        (
            "push",
            "known push types are alert, background, complication, controls, fileprovider, liveactivity, location, mdm, "
                + "pushtotalk, voip, widgets"
        ),
    ])
    func `an unknown push type is reported with the one that was probably meant`(text: String, advice: String) {
        let found = messages(Envelope(pushType: text, payload: Array("{}".utf8)), of: .pushTypeUnknown)
        #expect(found == ["apns-push-type is \"\(text)\"; \(advice)"])
    }

    @Test(arguments: [" alert", "alert ", "alert\t", "alert\n", "alert\u{A0}"])
    func `white space around a push type is named, whichever it is`(text: String) {
        let found = messages(Envelope(pushType: text, payload: Array("{}".utf8)), of: .pushTypeUnknown)
        #expect(found.count == 1)
        #expect(found[0].hasSuffix(" with white space around it; did you mean alert?"), "\(found)")
    }

    @Test func `the message about a long collapse id has bytes and characters`() {
        let found = messages(
            Envelope(collapseID: String(repeating: "📦", count: 17), payload: Array("{}".utf8)), of: .collapseIDLength)
        #expect(found == ["apns-collapse-id has 68 bytes in 17 characters; it may have 64, so it is 4 over"])
    }

    @Test func `an id without hyphens is shown with them`() {
        let found = messages(
            Envelope(apnsID: "9d1f3c2a5b6e4f708a91b2c3d4e5f607", payload: Array("{}".utf8)), of: .apnsIDForm)
        #expect(found.count == 1)
        #expect(found[0].hasSuffix(", for example 9d1f3c2a-5b6e-4f70-8a91-b2c3d4e5f607"))
    }

    @Test(arguments: [
        ("1767225600000", "milliseconds"), ("1767225600000000", "microseconds"), ("1767225600000000000", "nanoseconds"),
    ])
    func `an expiration in another unit is reported with the unit`(text: String, unit: String) {
        let found = messages(Envelope(expiration: text, payload: Array("{}".utf8)), of: .expirationMilliseconds)
        #expect(found == ["apns-expiration is \"\(text)\", which looks like \(unit); it must be a time in seconds"])
    }

    @Test func `a certificate's topic needs no push type, and an ending like a suffix is not a suffix`() {
        for topic in [
            "pass.com.example.ticket", "web.com.example.news", "com.apple.mgmt.External.x",
            "com.example.agent.complication",
        ] {
            let envelope = Envelope(topic: topic, payload: Array("{}".utf8))
            #expect(messages(envelope, of: .pushTypeAbsent).isEmpty, "\(topic)")
        }
        let call = Envelope(topic: "com.example.agent.voip", payload: Array("{}".utf8))
        #expect(
            messages(call, of: .pushTypeAbsent) == ["there is no apns-push-type; add it, voip for a VoIP push"])
        let agent = Envelope(topic: "com.example.agentvoip", pushType: "alert", payload: Array("{}".utf8))
        #expect(messages(agent, of: .pushTypeForTopic).isEmpty)
    }

    @Test func `a broadcast is checked by its own rules and not by those for devices`() {
        var validator = Validator()
        let broadcast = Envelope(
            kind: .envelope, topic: "com.example.agent", pushType: "liveactivity", priority: "1", expiration: "0",
            channelID: "dHN0LXNyY2gtY2hubA==",
            payload: Array(#"{"aps":{"timestamp":1767225600,"event":"update","content-state":{"score":3}}}"#.utf8))
        #expect(validator.findings(for: broadcast).isEmpty)
        var toDevice = broadcast
        toDevice.channelID = nil
        toDevice.token = String(repeating: "ab", count: 80)
        #expect(Set(validator.findings(for: toDevice).map(\.rule)) == ["topic-suffix", "priority-for-push-type"])
    }
}
