package import APNSModel

/// What a world begins with, and what a reset restores.
package struct WorldStart: Sendable {
    package var settings: WorldSettings
    package var clock: WorldClock
    package var keys: [ProviderKey]
    package var apps: [RegisteredApp]
    package var devices: [DeviceRegistration]
    package var faults: [FaultRule]
    /// Answers for requests like recorded ones.
    package var answers = RecordedAnswers()
    /// Where the world differs from the gateway's configuration.
    package var setup = WorldSetup()

    package init(
        settings: WorldSettings = WorldSettings(), clock: WorldClock = .real, keys: [ProviderKey] = [],
        apps: [RegisteredApp] = [], devices: [DeviceRegistration] = [], faults: [FaultRule] = []
    ) {
        self.settings = settings
        self.clock = clock
        self.keys = keys
        self.apps = apps
        self.devices = devices
        self.faults = faults
    }

    /// The fault rules that a new world leaves out, because their time is over by its clock.
    ///
    /// - Parameter real: The machine's time, in milliseconds since 1970.
    package func faultsOver(real: Int64) -> [FaultRule] {
        let now = clock.now(real: real)
        return faults.filter { $0.isOver(at: now) }
    }
}

/// A device as a client registers it.
package struct DeviceRegistration: Hashable, Sendable {
    /// The bundle id, or the whole topic with the suffix of the kind.
    package var topic: String
    /// Hexadecimal digits; nil makes a random device token of 32 bytes.
    package var token: String?
    package var environment: APNSEnvironment
    /// Nil stands for the kind of the topic's suffix.
    package var kind: DeviceKind?
    /// How the device differs from a new one.
    package var state = DevicePatch()
    /// Whether the app is still on the device.
    package var isInstalled = true

    package init(
        topic: String, token: String? = nil, environment: APNSEnvironment = .sandbox, kind: DeviceKind? = nil
    ) {
        self.topic = topic
        self.token = token
        self.environment = environment
        self.kind = kind
    }
}

/// Why something cannot be registered; the description is a sentence for the client.
package enum RegistrationError: Error, Hashable, Sendable, CustomStringConvertible {
    case badTopic(String)
    case badDeviceToken
    /// The kind needs another suffix than the topic has.
    case kindNotForTopic(DeviceKind, topic: String)
    /// The device token is registered for another topic; a conflict.
    case deviceTokenTaken(topic: String)
    case incomplete(String)
    /// The app has got a new device token; a conflict.
    case tokenReplaced(by: DeviceToken)
    /// The app has no such channel in this environment.
    case noChannel(String, app: String)
    /// What there is too much of, and the limit.
    case full(String, Int)
    case memoryFull

    package static let faultRules = "fault rules"

    package var description: String {
        switch self {
        case .badTopic(let text):
            "the topic \(PeerText.quoted(text)) is not well formed: 1 to 255 ASCII letters, digits, dots, hyphens, underscores"
        case .badDeviceToken:
            "the device token has to be an even number of hexadecimal digits, \(2 * DeviceChecks.maximumBytes) at most"
        case .kindNotForTopic(let kind, let topic):
            "a device token of the kind \(kind.rawValue) has a topic that ends with "
                + "\(PeerText.quoted(kind.topicSuffix)), and \(PeerText.quoted(topic)) does not; leave out the kind or the suffix"
        case .deviceTokenTaken(let topic):
            "the device token is registered for the topic \(PeerText.quoted(topic)); a device token has one topic"
        case .incomplete(let what): what
        case .tokenReplaced(let next):
            "the app has the device token \(next.shortened) instead of this one; GET the device to see all of it under "
                + "\"replaced-by\""
        case .noChannel(let id, let app):
            "the app \(PeerText.quoted(app)) has no channel \(PeerText.quoted(id)) in this environment; create it with "
                + "POST /1/apps/\(app)/channels, and name it as it came in apns-channel-id"
        case .memoryFull:
            "the gateway is at its limit of memory (--memory), and what it holds cannot be given up for this"
        case .full(let what, let maximum): "there are already \(maximum) \(what), which is the limit of this gateway"
        }
    }
}
