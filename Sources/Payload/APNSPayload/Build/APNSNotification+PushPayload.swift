public import APNSModel

extension APNSNotification {
    /// A notification with the headers that the push type of its payload needs.
    ///
    /// - Parameters:
    ///   - app: The bundle id of the app, to which the suffix of the push type is added. For an MDM push the whole
    ///     topic.
    ///   - priority: Nil means 5 for a background push, 10 for VoIP and Push to Talk, and no header for other push
    ///     types.
    ///   - expiration: Nil means 0 for VoIP and Push to Talk, and no header for other push types.
    public init(
        _ payload: some PushPayload, to deviceToken: DeviceToken, of app: Topic, priority: Priority? = nil,
        expiration: Expiration? = nil, collapseID: CollapseID? = nil, id: NotificationID? = nil
    ) {
        self.init(
            pushType: type(of: payload).pushType, to: deviceToken, of: app, priority: priority, expiration: expiration,
            collapseID: collapseID, id: id, payload: payload.encoded())
    }

    /// The same with an encoded payload.
    init(
        pushType: PushType, to deviceToken: DeviceToken, of app: Topic, priority: Priority?, expiration: Expiration?,
        collapseID: CollapseID?, id: NotificationID?, payload: [UInt8]
    ) {
        let isForNow = pushType == .voip || pushType == .pushtotalk
        let defaultPriority: Priority? = isForNow ? .immediate : pushType == .background ? .powerConsiderate : nil
        self.init(
            to: deviceToken, topic: app.topic(for: pushType), pushType: pushType, priority: priority ?? defaultPriority,
            expiration: expiration ?? (isForNow ? .once : nil), collapseID: collapseID, id: id,
            payload: payload)
    }
}
