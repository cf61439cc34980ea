import PayloadJSON

/// A notification as it reached the device.
public struct DeliveredPush: Hashable, Sendable {
    /// The gateway's name for it; what `Last-Event-ID` resumes behind.
    public var uniqueID: String
    public var apnsID: String?
    public var pushType: String?
    /// The payload as JSON; empty where the body was none, which a device drops.
    public var payload: [UInt8]

    /// Nil for data that is not an envelope.
    init?(_ data: [UInt8], id: String?) {
        guard let document = try? JSONDocument(data), document.kind(of: .root) == .object else { return nil }
        func text(_ key: StaticString) -> String? {
            document.member(key, of: .root).flatMap { document.string(of: $0) }
        }
        guard let uniqueID = id ?? text("apns-unique-id") else { return nil }
        self.uniqueID = uniqueID
        apnsID = text("apns-id")
        pushType = text("apns-push-type")
        payload = document.member("payload", of: .root).map { Array(data[document.range(of: $0)]) } ?? []
    }
}
