import APNSModel
import PushDispatch

/// The devices of a person that Apple's service reaches, each with its app.
struct PersonDevices: Hashable, Sendable {
    struct Device: Hashable, Sendable {
        var token: DeviceToken
        var bundleID: String
    }

    var devices: [Device]
    /// The topic of the app, where no other was given.
    private(set) var topic: Topic?

    init(_ devices: [Device], topic: Topic? = nil) {
        self.devices = devices
        self.topic = topic
    }

    /// - Parameter rows: Records of `MobilePushServiceDevice`. Those of other services are left out.
    init(_ rows: [JSONValue]) {
        devices = rows.compactMap { row in
            guard let fields = row.object, fields["ServiceType"]?.string == "Apple",
                let token = fields["ConnectionToken"]?.string.flatMap({ DeviceToken($0) })
            else { return nil }
            return Device(token: token, bundleID: fields["ApplicationBundle"]?.string ?? "")
        }
    }

    var tokens: [DeviceToken] { devices.map(\.token) }

    /// Those with the app of `topic`, or with the only app that there is.
    ///
    /// - Throws: `CommandError` where no device has the app, or where there are several apps and no topic.
    func of(_ topic: Topic?, user: String) throws(CommandError) -> PersonDevices {
        let bundles = Set(devices.map(\.bundleID)).sorted()
        let list = bundles.map { PlainText.safe($0.prefix(80)) }.joined(separator: ", ")
        if let topic {
            let matching = devices.filter { $0.bundleID == topic.bundleID }
            guard !matching.isEmpty else {
                throw CommandError("\(user) has no device with the app \(topic.bundleID), but with \(list)")
            }
            return PersonDevices(matching, topic: topic)
        }
        guard bundles.count == 1, let only = Topic(bundles[0]) else {
            throw CommandError("\(user) has devices with several apps: give --topic, one of \(list)", .badArguments)
        }
        return PersonDevices(devices, topic: only)
    }
}
