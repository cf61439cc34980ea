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

extension OrgChange.Device {
    fileprivate init(_ device: OrgDevice, _ push: OutgoingPush, bundleID: String) {
        id = device.id
        name = DeviceToken.shorten(device.connectionToken)
        registered = device.registered
        let madeTheChange = push.sourceGrant != nil && device.grant == push.sourceGrant
        if device.bundleID != bundleID {
            fate = .otherApp(bundleID: device.bundleID)
        } else if device.service != .apple {
            fate = .otherService
        } else {
            fate = madeTheChange && push.excludesSource ? .madeTheChange : .sent
        }
        isEcho = madeTheChange && fate == .sent
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
            return drop(push, .pushOff, "PUSH_NOTIFICATION_NOT_ENABLED", members, now)
        }
        guard let app = apps[push.application], app.isPushEnabled else {
            return drop(push, .noApp, "PUSH_NOTIFICATION_INVALID_APP", members, now)
        }
        if let namespace = app.namespace { members["namespace"] = .string(namespace) }
        let bytes = push.payload.count
        guard bytes <= PushType.background.maximumPayloadBytes else {
            members["length"] = .integer(Int64(bytes))
            return drop(push, .tooLong(bytes: bytes), "PUSH_NOTIFICATION_INVALID_NOTIFICATION", members, now)
        }
        guard app.hasCredentials else {
            return drop(push, .noKey, "PUSH_NOTIFICATION_INVALID_CERTIFICATE", members, now)
        }
        let devices = devices(of: push.targetUser)
        var rows = devices.map { OrgChange.Device($0, push, bundleID: app.bundleID.value) }
        let reached = rows.indices.filter { rows[$0].fate == .sent }
        guard !reached.isEmpty else {
            changes.with(push.place) { $0.devices = rows }
            let obstacle = devices.isEmpty ? OrgChange.Obstacle.noRegistration : .noDevice
            return drop(push, obstacle, "PUSH_NOTIFICATION_NO_DEVICES", members, now)
        }
        let allowed = max(0, settings.pushesPerHour - usage.pushes(at: now))
        if reached.count > allowed {
            members["lost"] = .integer(Int64(reached.count - allowed))
            log.add("PUSH_HOURLY_LIMIT_REACHED", members, at: now)
            members["lost"] = nil
            for index in reached.dropFirst(allowed) { rows[index].fate = .hourlyLimit }
        }
        var sent: [OrgNotification] = []
        for index in reached.prefix(allowed) {
            guard let token = devices[index].deviceToken else { continue }
            members["device"] = .string(token.shortened)
            members["service"] = .string(devices[index].service.rawValue)
            let payload = push.payload(for: devices[index])
            guard let payload, payload.count <= PushType.alert.maximumPayloadBytes else {
                rows[index].fate = .tooLong(bytes: payload?.count)
                var members = members
                members["length"] = payload.map { .integer(Int64($0.count)) }
                log.add("PUSH_NOTIFICATION_INVALID_NOTIFICATION", members, at: now)
                continue
            }
            var entry = members
            entry["payload"] = .string(String(decoding: payload.prefix(Org.excerptBytes), as: UTF8.self))
            log.add("PUSH_NOTIFICATION_SENT", entry, at: now)
            sent.append(
                OrgNotification(
                    application: app.name, topic: app.bundleID, environment: app.environment, deviceToken: token,
                    user: push.targetUser, type: push.type, payload: payload, isSilent: Org.isSilent(payload),
                    place: push.place.map { OrgChange.DevicePlace(call: $0, device: index, name: rows[index].name) }))
        }
        changes.with(push.place) { $0.devices = rows }
        usage.addPushes(sent.count, at: now)
        return sent
    }

    private mutating func drop(
        _ push: OutgoingPush, _ obstacle: OrgChange.Obstacle, _ event: String, _ members: [String: JSONValue],
        _ now: ServerDate
    ) -> [OrgNotification] {
        log.add(event, members, at: now)
        changes.with(push.place) { $0.obstacle = obstacle }
        return []
    }

    private static let excerptBytes = 200

    /// Whether the payload shows no alert and plays no sound.
    private static func isSilent(_ payload: [UInt8]) -> Bool {
        let aps = (try? JSONReader.read(payload, limits: .push))?.object?["aps"]?.object
        return aps?["content-available"]?.flag == true && aps?["alert"] == nil && aps?["sound"] == nil
            && aps?["badge"] == nil
    }

    /// Records the gateway's answer to a notification. A dead device token is removed from the registry.
    package mutating func answered(_ notification: OrgNotification, _ answer: OrgAnswer, at now: ServerDate) {
        var members: [String: JSONValue] = [
            "app": .string(notification.application), "user": .string(notification.user.description),
            "type": .string(notification.type), "device": .string(notification.deviceToken.shortened),
        ]
        let status = answer.status
        if let status { members["status"] = .integer(Int64(status)) }
        if let detail = answer.detail { members["reason"] = .string(detail) }
        log.add(
            status == 200 ? "GATEWAY_ACCEPTED" : status == nil ? "GATEWAY_SILENT" : "GATEWAY_REFUSED", members, at: now)
        changes.answered(notification.place, OrgChange.Answer(answer, at: now))
        if status == 410 {
            removeDead(
                notification.deviceToken, bundleID: notification.topic.value, since: answer.timestamp, at: now)
        }
    }

    /// The number of devices that a push call to these users reaches.
    func deviceCount(of application: String, _ users: Set<RecordID>) -> Int {
        guard let bundle = apps[application]?.bundleID.value else { return 0 }
        return devices.values.count { users.contains($0.user) && $0.bundleID == bundle }
    }
}
