import APNSModel
import TestSeeds
import Testing

@testable import APNSPayload

/// A validator that has seen many notifications finds the same first error as one that has seen none.
struct SameHeadersTests {
    private static func notification(using generator: inout TestGenerator) -> APNSNotification? {
        func one<Value>(_ values: [Value]) -> Value? { values.randomElement(using: &generator) }
        /// The first value is the usual one.
        func mostly<Value>(_ values: [Value]) -> Value? {
            Int.random(in: 0..<12, using: &generator) == 0 ? one(values) : values[0]
        }
        guard let deviceToken = one(["aabb", "00112233"].compactMap { DeviceToken($0) }),
            let topic = mostly([Topic("com.example.a"), Topic("com.example.a.voip"), Topic("web.com.example")]) ?? nil,
            let pushType = mostly([PushType.background, .alert, .voip, .liveactivity, PushType(rawValue: "new")]),
            let payload = one(payloads)
        else { return nil }
        let size = mostly([0, 0, 4096, 5120, 5121, 5000]) ?? 0
        let bytes = Array(payload.utf8)
        return APNSNotification(
            to: deviceToken, topic: topic, pushType: pushType,
            priority: mostly([Priority.powerConsiderate, .immediate, nil]) ?? nil,
            expiration: mostly([nil, Expiration.once]) ?? nil,
            collapseID: one([
                nil, nil, CollapseID("a"), CollapseID("b"), CollapseID(recorded: String(repeating: "x", count: 65)),
                CollapseID(recorded: "a\nb"), CollapseID(recorded: ""),
            ]) ?? nil,
            id: one([nil, NotificationID("9d1f3c2a-5b6e-4f70-8a91-b2c3d4e5f607")]) ?? nil,
            payload: bytes + [UInt8](repeating: 0x20, count: max(0, size - bytes.count)))
    }

    private static let payloads = [
        #"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":"001xx000003DGb2AAG"}"#,
        #"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":"001xx000003DGb3AAG"}"#,
        #"{"aps":{"content-available":0}}"#, #"{"aps":{"content-available":1,"alert":"Hi"}}"#,
        #"{"aps":{"alert":"Hi"}}"#,
        #"{"aps":{"alert":"Ho","badge":1}}"#, #"{"aps":{"alert":"Ho","badge":-1}}"#, #"{"aps":{"badge":"1"}}"#,
        #"{"aps":{"alert":{"body":"x"},"sound":{"volume":2}}}"#,
        #"{"aps":{"alert":{"body":"x"},"sound":{"volume":1}}}"#,
        #"{"aps":{"event":"start","timestamp":1795382457}}"#, #"{"aps":{}}"#, #"{"aps":[]}"#, "{}", "[]", "{", "",
        #"{"aps":{},"aps":{}}"#, #"{"aps":{"content-available":true}}"#, #"{"aps":{"interruption-level":"high"}}"#,
        #"{"aps":{"interruption-level":"active"}}"#,
    ]

    @Test(arguments: TestSeed.all(1...60))
    func `what it knows of earlier notifications changes no finding`(seed: TestSeed) {
        var generator = seed.generator
        var validator = Validator()
        var copy = validator
        for number in 0..<300 {
            guard let notification = SameHeadersTests.notification(using: &generator) else { continue }
            let found = validator.firstError(for: notification)
            var fresh = Validator()
            let wanted = fresh.firstError(for: Envelope(notification))
            #expect(found == wanted, "\(notification)")
            // Other uses of the same validator share its memory.
            if number % 7 == 0 {
                let isClean = Array(#"{"aps":{"alert":"Hi"}}"#.utf8).withUnsafeBytes { validator.isCleanPayload($0) }
                #expect(isClean)
                let (all, wantedAll) = (
                    validator.findings(for: Envelope(notification)), fresh.findings(for: Envelope(notification))
                )
                #expect(all == wantedAll)
            }
            if number % 50 == 0 { copy = validator }
            if number % 3 == 0 {
                let foundByCopy = copy.firstError(for: notification)
                #expect(foundByCopy == found)
            }
        }
    }
}
