import APNSModel
import ProviderToken
import Testing

@testable import GatewayCore

/// One way to spoil a scenario for each check of the table.
struct SpoiledRequest: CustomTestStringConvertible, Sendable {
    let check: String
    let reason: Reason
    let spoil: @Sendable (inout Scenario) -> Void

    init(_ check: String, _ reason: Reason, _ spoil: @escaping @Sendable (inout Scenario) -> Void) {
        self.check = check
        self.reason = reason
        self.spoil = spoil
    }

    var testDescription: String { check }

    /// In the order of the table, one for each of its rows.
    static let all: [SpoiledRequest] = [
        SpoiledRequest("availability", .shutdown) { $0.settings.availability = .stopping },
        SpoiledRequest("certificate", .badCertificate) {
            $0.settings.contested.certificateFault = .response
            $0.certificate = ClientCertificate(
                verification: .untrusted("self-signed"), environments: [.sandbox], uid: Scenario.topic)
        },
        SpoiledRequest("path", .badPath) { $0.head.path = "/4/broadcasts/com.example.agent" },
        SpoiledRequest("method", .methodNotAllowed) { $0.head.method = "GET" },
        SpoiledRequest("headers-once", .duplicateHeaders) { $0.head.duplicated = ["apns-topic"] },
        SpoiledRequest("provider-token-present", .missingProviderToken) { $0.hasAuthorization = false },
        SpoiledRequest("provider-token-form", .invalidProviderToken) { $0.authorization = "bearer not.a-token" },
        SpoiledRequest("provider-token-key", .invalidProviderToken) { $0.keyID = "UNKNOWN001" },
        SpoiledRequest("provider-token-signature", .invalidProviderToken) { $0.signer = Keys.second },
        SpoiledRequest("provider-token-team", .invalidProviderToken) { $0.teamID = "TEAM000009" },
        SpoiledRequest("connection-team", .invalidProviderToken) {
            $0.before.append { running in
                let key = ProviderKey(
                    keyID: "OTHERTEAM1", teamID: Keys.otherTeam, verifyingKey: try Keys.first.get().publicKey)
                try running.world.register(key)
                try running.send(
                    Scenario().with {
                        $0.keyID = "OTHERTEAM1"
                        $0.teamID = Keys.otherTeam
                    })
            }
        },
        SpoiledRequest("key-environment", .badEnvironmentKeyInToken) { $0.keyEnvironments = [.production] },
        SpoiledRequest("connection-key", .unrelatedKeyIDInToken) {
            $0.before.append { running in
                let key = ProviderKey(
                    keyID: "TOPICKEY01", teamID: Keys.team, verifyingKey: try Keys.first.get().publicKey,
                    kind: .topics([Scenario.topic]), environments: [.sandbox])
                try running.world.register(key)
                try running.send(Scenario().with { $0.keyID = "TOPICKEY01" })
            }
        },
        SpoiledRequest("provider-token-age", .expiredProviderToken) { $0.age = 3601 },
        SpoiledRequest("provider-token-updates", .tooManyProviderTokenUpdates) {
            $0.before.append { running in try running.send(Scenario().with { $0.age = 5 }) }
        },
        SpoiledRequest("device-token-present", .missingDeviceToken) { $0.head.path = "/3/device/" },
        SpoiledRequest("apns-id", .badMessageID) { $0.head.apnsID = "not-a-uuid" },
        SpoiledRequest("expiration", .badExpirationDate) { $0.head.expiration = "tomorrow" },
        SpoiledRequest("priority", .badPriority) { $0.head.priority = "7" },
        SpoiledRequest("background-priority", .badPriority) { $0.head.priority = "10" },
        SpoiledRequest("collapse-id", .badCollapseID) { $0.head.collapseID = String(repeating: "é", count: 33) },
        SpoiledRequest("topic-present", .missingTopic) { $0.head.topic = nil },
        SpoiledRequest("topic-form", .badTopic) { $0.head.topic = "com example agent" },
        SpoiledRequest("push-type-known", .invalidPushType) { $0.head.pushType = "Background" },
        SpoiledRequest("payload-empty", .payloadEmpty) { $0.body = [] },
        SpoiledRequest("payload-too-large", .payloadTooLarge) { $0.body = Array(repeating: 0x20, count: 4097) },
        SpoiledRequest("payload-json", .payloadEmpty) {
            $0.settings.contested.refusesMalformedJSON = true
            $0.body = Array("{".utf8)
        },
        SpoiledRequest("device-token-form", .badDeviceToken) { $0.head.path = "/3/device/abc" },
        SpoiledRequest("device-token-known", .badDeviceToken) {
            $0.settings.unknownDevices = .strict
            $0.head.path = "/3/device/cafe"
        },
        SpoiledRequest("device-capacity", .serviceUnavailable) {
            $0.settings.unknownDevices = .open
            $0.settings.maximumDevices = 1
            $0.head.path = "/3/device/cafe"
        },
        SpoiledRequest("topic-allowed", .topicDisallowed) { $0.apps = [] },
        SpoiledRequest("push-type-for-topic", .invalidPushType) {
            $0.head.topic = Scenario.topic + ".voip"
            $0.head.pushType = "alert"
        },
        SpoiledRequest("device-token-for-topic", .deviceTokenNotForTopic) { $0.devices[0].topic = "com.example.other" },
        SpoiledRequest("device-token-expired", .expiredToken) {
            $0.before.append { running in
                let patch = DevicePatch(expiresAt: running.now)
                _ = running.world.patch(try Scenario().deviceToken, in: .sandbox, patch, real: 0)
            }
        },
        SpoiledRequest("device-token-registered", .unregistered) {
            $0.before.append { running in
                _ = running.world.uninstall(try Scenario().deviceToken, in: .sandbox, real: 0)
            }
        },
        SpoiledRequest("device-rate", .tooManyRequests) {
            $0.settings.deviceRate = WorldSettings.DeviceRate(count: 0, period: 1000)
        },
    ]

    /// Every row with the one after it.
    static let adjacent = zip(all, all.dropFirst()).map(Adjacent.init)

    struct Adjacent: CustomTestStringConvertible, Sendable {
        let earlier: SpoiledRequest
        let later: SpoiledRequest

        var testDescription: String { "\(earlier.check) before \(later.check)" }
    }
}
