package import APNSModel
package import PushDispatch
package import SelectiveSync

extension Org {
    static let maximumDevices = 50_000
    static let maximumDevicesPerUser = 100

    /// Registers a device. A second registration of the same app, user and device updates the existing entry.
    package mutating func register(
        _ token: String, bundleID: String, service: OrgDevice.Service = .apple,
        details: [String: JSONValue] = [:], for user: RecordID, grant: String? = nil, at now: ServerDate
    ) throws(OrgError) -> RecordID {
        let token = service == .apple ? DeviceToken(token)?.hex : token
        guard let token, (1...4_096).contains(token.utf8.count) else {
            throw .wrongValue("ConnectionToken", "a device token: an even number of hexadecimal digits")
        }
        let own = devices.values.filter { $0.user == user }
        if let known = own.first(where: {
            $0.connectionToken == token && $0.bundleID == bundleID && $0.service == service
        }) {
            devices[known.id]?.registered = now
            devices[known.id]?.grant = grant
            devices[known.id]?.details = details
            return known.id
        }
        guard devices.count < Org.maximumDevices else { throw .storageLimit("\(Org.maximumDevices) devices") }
        guard own.count < Org.maximumDevicesPerUser else {
            throw .storageLimit("\(Org.maximumDevicesPerUser) devices of one user")
        }
        guard let id = nextID(OrgObject.pushDevice.keyPrefix) else { throw .noResource }
        devices[id] = OrgDevice(
            id: id, user: user, connectionToken: token, service: service, bundleID: bundleID, registered: now,
            grant: grant, details: details)
        log.add("DEVICE_REGISTERED", Org.members(of: devices[id]), at: now)
        return id
    }

    package mutating func unregister(_ device: RecordID, of user: RecordID, at now: ServerDate) throws(OrgError) {
        guard let known = devices[device], known.user == user else { throw .noRecord(OrgObject.pushDevice.name) }
        devices[device] = nil
        log.add("DEVICE_REMOVED", Org.members(of: known), at: now)
    }

    /// Removes the registrations of a device token that APNs reported as dead with 410, except later registrations.
    ///
    /// - Parameter timestamp: The timestamp of the 410; nil removes all registrations of the token.
    package mutating func removeDead(
        _ token: DeviceToken, bundleID: String, since timestamp: ServerDate?, at now: ServerDate
    ) {
        let dead = devices.values.filter { device in
            device.deviceToken == token && device.bundleID == bundleID
                && (timestamp.map { device.registered <= $0 } ?? true)
        }
        for device in dead.sorted(by: { $0.id.description < $1.id.description }) {
            devices[device.id] = nil
            var members = Org.members(of: device)
            members["why"] = "APNs answered 410"
            log.add("DEVICE_REMOVED", members, at: now)
        }
    }

    /// The devices of a user with an app, in the order of registration.
    package func devices(of user: RecordID, bundleID: String? = nil) -> [OrgDevice] {
        devices.values.filter { $0.user == user && (bundleID == nil || $0.bundleID == bundleID) }
            .sorted { $0.id.description < $1.id.description }
    }

    private static func members(of device: OrgDevice?) -> [String: JSONValue] {
        guard let device else { return [:] }
        return [
            "device": .string(DeviceToken.shorten(device.connectionToken)), "user": .string(device.user.description),
            "bundle": .string(device.bundleID),
        ]
    }
}
