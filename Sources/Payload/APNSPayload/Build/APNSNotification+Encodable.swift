public import APNSModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension APNSNotification {
    /// A notification whose whole payload, `aps` and all, is an encoded value of the app. A provider checks it as any other
    /// before it sends it.
    ///
    /// - Parameters:
    ///   - app: The bundle id of the app, to which the suffix of the push type is added. For an MDM push the whole
    ///     topic.
    ///   - encoder: For its strategies, such as that for dates.
    ///   - priority: Nil means 5 for a background push, 10 for VoIP and Push to Talk, and no header for other push
    ///     types.
    ///   - expiration: Nil means 0 for VoIP and Push to Talk, and no header for other push types.
    /// - Throws: What the encoder throws.
    public init(
        encoding payload: some Encodable, as pushType: PushType, to deviceToken: DeviceToken, of app: Topic,
        with encoder: JSONEncoder = JSONEncoder(), priority: Priority? = nil, expiration: Expiration? = nil,
        collapseID: CollapseID? = nil, id: NotificationID? = nil
    ) throws {
        self.init(
            pushType: pushType, to: deviceToken, of: app, priority: priority, expiration: expiration,
            collapseID: collapseID, id: id, payload: Array(try encoder.encode(payload)))
    }
}
