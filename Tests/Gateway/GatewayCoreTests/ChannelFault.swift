import APNSModel
import Testing

@testable import GatewayCore

/// One way to spoil a request about channels for each check of its table.
struct ChannelFault: CustomTestStringConvertible, Sendable {
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
    static let broadcasts: [ChannelFault] =
        shared(.broadcast, "availability", "certificate") + [
            ChannelFault(.broadcast, "broadcast-host", .badPath) { $0.settings.contested.broadcastHost = .broadcast },
            ChannelFault(.broadcast, "method", .methodNotAllowed) { $0.head.method = "GET" },
        ] + shared(.broadcast, "headers-once") + credentials(.broadcast) + app(.broadcast, "/4/broadcasts/apps/%") + [
            ChannelFault(.broadcast, "request-id", .badMessageID) { $0.head.requestID = "1" },
            ChannelFault(.broadcast, "broadcast-expiration", .badExpirationDate) { $0.head.expiration = nil },
            ChannelFault(.broadcast, "broadcast-priority", .badPriority) { $0.head.priority = nil },
            ChannelFault(.broadcast, "broadcast-topic", .topicDisallowed) {
                $0.settings.contested.checksBroadcastTopic = true
                $0.head.topic = "com.example.other"
            },
            ChannelFault(.broadcast, "broadcast-push-type", .missingPushType) { $0.head.pushType = nil },
            ChannelFault(.broadcast, "payload-empty", .payloadEmpty) { $0.body = [] },
            ChannelFault(.broadcast, "payload-too-large", .payloadTooLarge) {
                $0.body = Array(repeating: 0x20, count: 5121)
            },
            ChannelFault(.broadcast, "payload-json", .payloadEmpty) {
                $0.settings.contested.refusesMalformedJSON = true
                $0.body = Array("{".utf8)
            },
            ChannelFault(.broadcast, "channel-id-present", .missingChannelID) { $0.head.channelID = nil },
            ChannelFault(.broadcast, "channel-id-form", .badChannelID) { $0.head.channelID = "no base64" },
            ChannelFault(.broadcast, "channel-registered", .channelNotRegistered) { $0.head.channelID = "AAAA" },
            ChannelFault(.broadcast, "channel-storage", .badExpirationDate) { $0.head.expiration = "1800000060" },
            ChannelFault(.broadcast, "channel-rate", .tooManyRequests) {
                $0.settings.channelRate = WorldSettings.DeviceRate(count: 0, period: 1000)
            },
        ]

    /// The same for the management of channels.
    static let management: [ChannelFault] =
        shared(.listChannels, "availability", "certificate") + credentials(.readChannel) + [
            ChannelFault(.unknownChannelRequest, "path", .badPath) {
                $0.head = RequestHead(path: "/3/device/" + Scenario.token)
            },
            ChannelFault(.listChannels, "method", .methodNotAllowed) { $0.head.method = "PUT" },
        ] + shared(.createChannel, "headers-once") + app(.createChannel, "/1/apps/%/channels") + [
            ChannelFault(.deleteChannel, "request-id", .badMessageID) { $0.head.requestID = "1" },
            ChannelFault(.createChannel, "payload-empty", .payloadEmpty) { $0.body = [] },
            ChannelFault(.createChannel, "payload-too-large", .payloadTooLarge) {
                $0.body += Array(repeating: 0x20, count: 5121)
            },
            ChannelFault(.createChannel, "channel-body", .badRequestPayload) { $0.body = Array("[]".utf8) },
            ChannelFault(.createChannel, "channel-attributes", .badRequestParams) {
                $0.body = Array(#"{"message-storage-policy":0,"push-type":"LiveActivity","name":"x"}"#.utf8)
            },
            ChannelFault(.createChannel, "channel-push-type", .invalidPushType) {
                $0.body = Array(#"{"message-storage-policy":0,"push-type":"alert"}"#.utf8)
            },
            ChannelFault(.createChannel, "channel-storage-policy", .missingChannelQueueSize) {
                $0.body = Array(#"{"message-storage-policy":2,"push-type":"LiveActivity"}"#.utf8)
            },
            ChannelFault(.readChannel, "channel-id-present", .missingChannelID) { $0.head.channelID = nil },
            ChannelFault(.deleteChannel, "channel-id-form", .badChannelID) {
                $0.head.channelID = String(repeating: "A", count: 132)
            },
            ChannelFault(.readChannel, "channel-registered", .channelNotRegistered) { $0.head.channelID = "AAAA" },
            ChannelFault(.createChannel, "channel-limit", .cannotCreateChannelConfig) {
                $0.settings.maximumChannelsOfApp = 1
            },
            ChannelFault(.createChannel, "channel-capacity", .serviceUnavailable) { $0.settings.maximumChannels = 1 },
        ]

    /// Faults of sends to devices, which are those of channels too.
    private static func shared(_ kind: RequestKind, _ checks: String...) -> [ChannelFault] {
        Fault.all.filter { checks.contains($0.check) }.map { ChannelFault(kind, $0.check, $0.reason, $0.spoil) }
    }

    private static func credentials(_ kind: RequestKind) -> [ChannelFault] {
        let checks = Set(Checks.table.filter { (4...7).contains($0.step) }.map(\.id))
        return Fault.all.filter { checks.contains($0.check) }.map { ChannelFault(kind, $0.check, $0.reason, $0.spoil) }
    }

    /// - Parameter pattern: With `%` where the bundle id stands.
    private static func app(_ kind: RequestKind, _ pattern: String) -> [ChannelFault] {
        @Sendable func path(of app: String) -> String {
            pattern.split(separator: "%", omittingEmptySubsequences: false).joined(separator: app)
        }
        return [
            ChannelFault(kind, "app-form", .badPath) { $0.head.path = path(of: "com example") },
            ChannelFault(kind, "app-suffix", .topicDisallowed) {
                $0.head.path = path(of: Scenario.topic + ".push-type.liveactivity")
            },
            ChannelFault(kind, "app-credentials", .topicMismatch) { $0.apps = [] },
            ChannelFault(kind, "app-capability", .featureNotEnabled) {
                $0.apps = [RegisteredApp(topic: Scenario.topic, teamID: Keys.team, capabilities: ["push"])]
            },
        ]
    }
}
