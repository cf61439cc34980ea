import APNSModel
import Testing

@testable import GatewayCore

/// One way to spoil a request about channels for each check of its table.
struct SpoiledChannelRequest: CustomTestStringConvertible, Sendable {
    let kind: RequestKind
    let check: String
    let reason: Reason
    let spoil: @Sendable (inout Scenario) -> Void

    init(_ kind: RequestKind, _ check: String, _ reason: Reason, _ spoil: @escaping @Sendable (inout Scenario) -> Void)
    {
        self.kind = kind
        self.check = check
        self.reason = reason
        self.spoil = spoil
    }

    var testDescription: String { "\(kind.rawValue): \(check)" }

    /// In the order of the table, one for each of its rows.
    static let broadcasts: [SpoiledChannelRequest] =
        shared(.broadcast, "availability", "certificate") + [
            SpoiledChannelRequest(.broadcast, "broadcast-host", .badPath) {
                $0.settings.contested.broadcastHost = .broadcast
            },
            SpoiledChannelRequest(.broadcast, "method", .methodNotAllowed) { $0.head.method = "GET" },
        ] + shared(.broadcast, "headers-once") + credentials(.broadcast) + app(.broadcast, "/4/broadcasts/apps/%") + [
            SpoiledChannelRequest(.broadcast, "request-id", .badMessageID) { $0.head.requestID = "1" },
            SpoiledChannelRequest(.broadcast, "broadcast-expiration", .badExpirationDate) { $0.head.expiration = nil },
            SpoiledChannelRequest(.broadcast, "broadcast-priority", .badPriority) { $0.head.priority = nil },
            SpoiledChannelRequest(.broadcast, "broadcast-topic", .topicDisallowed) {
                $0.settings.contested.checksBroadcastTopic = true
                $0.head.topic = "com.example.other"
            },
            SpoiledChannelRequest(.broadcast, "broadcast-push-type", .missingPushType) { $0.head.pushType = nil },
            SpoiledChannelRequest(.broadcast, "payload-empty", .payloadEmpty) { $0.body = [] },
            SpoiledChannelRequest(.broadcast, "payload-too-large", .payloadTooLarge) {
                $0.body = Array(repeating: 0x20, count: 5121)
            },
            SpoiledChannelRequest(.broadcast, "payload-json", .payloadEmpty) {
                $0.settings.contested.refusesMalformedJSON = true
                $0.body = Array("{".utf8)
            },
            SpoiledChannelRequest(.broadcast, "channel-id-present", .missingChannelID) { $0.head.channelID = nil },
            SpoiledChannelRequest(.broadcast, "channel-id-form", .badChannelID) { $0.head.channelID = "no base64" },
            SpoiledChannelRequest(.broadcast, "channel-registered", .channelNotRegistered) {
                $0.head.channelID = "AAAA"
            },
            SpoiledChannelRequest(.broadcast, "channel-storage", .badExpirationDate) {
                $0.head.expiration = "1800000060"
            },
            SpoiledChannelRequest(.broadcast, "channel-rate", .tooManyRequests) {
                $0.settings.channelRate = WorldSettings.DeviceRate(count: 0, period: 1000)
            },
        ]

    /// The same for the management of channels.
    static let management: [SpoiledChannelRequest] =
        shared(.listChannels, "availability", "certificate") + credentials(.readChannel) + [
            SpoiledChannelRequest(.unknownChannelRequest, "path", .badPath) {
                $0.head = RequestHead(path: "/3/device/" + Scenario.token)
            },
            SpoiledChannelRequest(.listChannels, "method", .methodNotAllowed) { $0.head.method = "PUT" },
        ] + shared(.createChannel, "headers-once") + app(.createChannel, "/1/apps/%/channels") + [
            SpoiledChannelRequest(.deleteChannel, "request-id", .badMessageID) { $0.head.requestID = "1" },
            SpoiledChannelRequest(.createChannel, "payload-empty", .payloadEmpty) { $0.body = [] },
            SpoiledChannelRequest(.createChannel, "payload-too-large", .payloadTooLarge) {
                $0.body += Array(repeating: 0x20, count: 5121)
            },
            SpoiledChannelRequest(.createChannel, "channel-body", .badRequestPayload) { $0.body = Array("[]".utf8) },
            SpoiledChannelRequest(.createChannel, "channel-attributes", .badRequestParams) {
                $0.body = Array(#"{"message-storage-policy":0,"push-type":"LiveActivity","name":"x"}"#.utf8)
            },
            SpoiledChannelRequest(.createChannel, "channel-push-type", .invalidPushType) {
                $0.body = Array(#"{"message-storage-policy":0,"push-type":"alert"}"#.utf8)
            },
            SpoiledChannelRequest(.createChannel, "channel-storage-policy", .missingChannelQueueSize) {
                $0.body = Array(#"{"message-storage-policy":2,"push-type":"LiveActivity"}"#.utf8)
            },
            SpoiledChannelRequest(.readChannel, "channel-id-present", .missingChannelID) { $0.head.channelID = nil },
            SpoiledChannelRequest(.deleteChannel, "channel-id-form", .badChannelID) {
                $0.head.channelID = String(repeating: "A", count: 132)
            },
            SpoiledChannelRequest(.readChannel, "channel-registered", .channelNotRegistered) {
                $0.head.channelID = "AAAA"
            },
            SpoiledChannelRequest(.createChannel, "channel-limit", .cannotCreateChannelConfig) {
                $0.settings.maximumChannelsOfApp = 1
            },
            SpoiledChannelRequest(.createChannel, "channel-capacity", .serviceUnavailable) {
                $0.settings.maximumChannels = 1
            },
        ]

    /// Faults of sends to devices, which are those of channels too.
    private static func shared(_ kind: RequestKind, _ checks: String...) -> [SpoiledChannelRequest] {
        SpoiledRequest.all.filter { checks.contains($0.check) }.map {
            SpoiledChannelRequest(kind, $0.check, $0.reason, $0.spoil)
        }
    }

    private static func credentials(_ kind: RequestKind) -> [SpoiledChannelRequest] {
        let checks = Set(Checks.table.filter { (4...7).contains($0.step) }.map(\.id))
        return SpoiledRequest.all.filter { checks.contains($0.check) }.map {
            SpoiledChannelRequest(kind, $0.check, $0.reason, $0.spoil)
        }
    }

    /// - Parameter pattern: With `%` for the bundle id.
    private static func app(_ kind: RequestKind, _ pattern: String) -> [SpoiledChannelRequest] {
        @Sendable func path(of app: String) -> String {
            pattern.split(separator: "%", omittingEmptySubsequences: false).joined(separator: app)
        }
        return [
            SpoiledChannelRequest(kind, "app-form", .badPath) { $0.head.path = path(of: "com example") },
            SpoiledChannelRequest(kind, "app-suffix", .topicDisallowed) {
                $0.head.path = path(of: Scenario.topic + ".push-type.liveactivity")
            },
            SpoiledChannelRequest(kind, "app-credentials", .topicMismatch) { $0.apps = [] },
            SpoiledChannelRequest(kind, "app-capability", .featureNotEnabled) {
                $0.apps = [RegisteredApp(topic: Scenario.topic, teamID: Keys.team, capabilities: ["push"])]
            },
        ]
    }
}
