import APNSModel
import PayloadJSON

/// A notification as it reached the device.
public struct DeliveredPush: Hashable, Sendable {
    /// The gateway's id for it. `Last-Event-ID` has the id of the last delivery when the device resumes.
    public var uniqueID: String
    public var apnsID: String?
    /// The id of a broadcast, which has no `apns-id`.
    public var requestID: String?
    public var pushType: String?
    public var topic: String?
    /// The number as it was written.
    public var priority: String?
    public var expiration: String?
    public var collapseID: String?
    /// The channel that it was broadcast to; nil for a notification to this device.
    public var channelID: String?
    /// The device token, shortened for display.
    public var shortToken: String?
    /// The payload as JSON; empty if the body was not JSON, which a device drops.
    public var payload: [UInt8]
    /// The whole envelope as the gateway sent it, one JSON object.
    public var envelope: [UInt8]

    /// Nil for data that is not an envelope.
    init?(_ data: [UInt8], id: String?) {
        guard let document = try? JSONDocument(data), document.kind(of: .root) == .object else { return nil }
        func text(_ key: StaticString) -> String? {
            document.member(key, of: .root).flatMap { document.string(of: $0) }
        }
        func number(_ key: StaticString) -> String? {
            document.member(key, of: .root).flatMap { document.integer(of: $0) }.map { "\($0)" }
        }
        guard let uniqueID = id ?? text("apns-unique-id") else { return nil }
        self.uniqueID = uniqueID
        apnsID = text("apns-id")
        requestID = text("apns-request-id")
        pushType = text("apns-push-type")
        topic = text("apns-topic")
        priority = number("apns-priority")
        expiration = number("apns-expiration")
        collapseID = text("apns-collapse-id")
        channelID = text("apns-channel-id")
        shortToken = text("token").map { DeviceToken.shorten($0) }
        payload = document.member("payload", of: .root).map { Array(data[document.range(of: $0)]) } ?? []
        envelope = data
    }
}
