import APNSModel
import PushDispatch
package import SelectiveSync

extension OutgoingPush {
    /// The payload for one device. A notice is encrypted for a device that registered a key.
    ///
    /// - Returns: Nil if encryption fails.
    fileprivate func payload(for device: OrgDevice) -> [UInt8]? {
        guard let notice, device.details["RsaPublicKey"] != nil else { return payload }
        guard let (key, padding) = device.noticeKey else { return nil }
        return notice.encrypted(for: key, padding: padding)
    }
}

extension Org {
    /// The notifications for push calls: one for each device of the target user with the app. A push that cannot be
    /// sent is logged and dropped, like on the platform (docs/reference/selective-sync.md 3.3).
    package mutating func send(_ pushes: [OutgoingPush], at now: ServerDate) -> [OrgNotification] {
        pushes.flatMap { send($0, at: now) }
    }

    private mutating func send(_ push: OutgoingPush, at now: ServerDate) -> [OrgNotification] {
        var members: [String: JSONValue] = [
            "app": .string(push.application), "user": .string(push.targetUser.description),
            "type": .string(push.type),
        ]
        guard settings.isPushEnabled else {
            log.add("PUSH_NOTIFICATION_NOT_ENABLED", members, at: now)
            return []
        }
        guard let app = apps[push.application], app.isPushEnabled else {
            log.add("PUSH_NOTIFICATION_INVALID_APP", members, at: now)
            return []
        }
        if let namespace = app.namespace { members["namespace"] = .string(namespace) }
        guard push.payload.count <= PushType.background.maximumPayloadBytes else {
            members["length"] = .integer(Int64(push.payload.count))
            log.add("PUSH_NOTIFICATION_INVALID_NOTIFICATION", members, at: now)
            return []
        }
        guard app.hasCredentials else {
            log.add("PUSH_NOTIFICATION_INVALID_CERTIFICATE", members, at: now)
            return []
        }
        let devices = devices(of: push.targetUser, bundleID: app.bundleID.value).filter { device in
            device.service == .apple && (push.excludedGrant == nil || device.grant != push.excludedGrant)
        }
        guard !devices.isEmpty else {
            log.add("PUSH_NOTIFICATION_NO_DEVICES", members, at: now)
            return []
        }
        let remaining = settings.pushesPerHour - usage.pushes(at: now)
        if devices.count > remaining {
            members["lost"] = .integer(Int64(devices.count - max(0, remaining)))
            log.add("PUSH_HOURLY_LIMIT_REACHED", members, at: now)
            members["lost"] = nil
        }
        let sent = devices.prefix(max(0, remaining)).compactMap { device -> OrgNotification? in
            guard let token = device.deviceToken else { return nil }
            var members = members
            members["device"] = .string(token.shortened)
            members["service"] = .string(device.service.rawValue)
            let payload = push.payload(for: device)
            guard let payload, payload.count <= PushType.alert.maximumPayloadBytes else {
                members["length"] = payload.map { .integer(Int64($0.count)) }
                log.add("PUSH_NOTIFICATION_INVALID_NOTIFICATION", members, at: now)
                return nil
            }
            members["payload"] = .string(String(decoding: payload.prefix(Org.excerptBytes), as: UTF8.self))
            log.add("PUSH_NOTIFICATION_SENT", members, at: now)
            return OrgNotification(
                application: app.name, topic: app.bundleID, environment: app.environment, deviceToken: token,
                user: push.targetUser, type: push.type, payload: payload, isSilent: Org.isSilent(payload))
        }
        usage.addPushes(sent.count, at: now)
        return sent
    }

    private static let excerptBytes = 200

    /// Whether the payload shows no alert and plays no sound.
    private static func isSilent(_ payload: [UInt8]) -> Bool {
        let aps = (try? JSONReader.read(payload, limits: .push))?.object?["aps"]?.object
        return aps?["content-available"]?.flag == true && aps?["alert"] == nil && aps?["sound"] == nil
            && aps?["badge"] == nil
    }

    /// Records the gateway's answer to a notification. A dead device token is removed from the registry.
    ///
    /// - Parameters:
    ///   - status: Nil if there is no answer.
    ///   - detail: The reason of a refusal, or why there is no answer.
    ///   - timestamp: The timestamp of a 410.
    package mutating func answered(
        _ notification: OrgNotification, status: Int?, detail: String?, timestamp: ServerDate? = nil,
        at now: ServerDate
    ) {
        var members: [String: JSONValue] = [
            "app": .string(notification.application), "user": .string(notification.user.description),
            "type": .string(notification.type), "device": .string(notification.deviceToken.shortened),
        ]
        if let status { members["status"] = .integer(Int64(status)) }
        if let detail { members["reason"] = .string(detail) }
        log.add(
            status == 200 ? "GATEWAY_ACCEPTED" : status == nil ? "GATEWAY_SILENT" : "GATEWAY_REFUSED", members, at: now)
        if status == 410 {
            removeDead(
                notification.deviceToken, bundleID: notification.topic.value, since: timestamp, at: now)
        }
    }

    /// The number of devices that a push call to these users reaches.
    func deviceCount(of application: String, _ users: Set<RecordID>) -> Int {
        guard let bundle = apps[application]?.bundleID.value else { return 0 }
        return devices.values.count { users.contains($0.user) && $0.bundleID == bundle }
    }
}
