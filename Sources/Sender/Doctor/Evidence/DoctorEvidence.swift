package import APNSModel

/// All that the probes of a run saw. No part of it has a key, a provider token, a password or a whole device token but
/// `deviceToken`, which no message shows.
package struct DoctorEvidence: Sendable {
    package var credentials: Observation<GivenCredentials>
    package var key: Observation<KeyEvidence>
    package var providerToken: Observation<ProviderTokenEvidence>
    package var certificate: Observation<CertificateEvidence>
    package var clock: Observation<ClockEvidence>
    package var date: Observation<DateEvidence>
    package var destination: Destination
    package var proxy: Observation<ProxyEvidence>
    package var names: Observation<NameEvidence>
    /// The connection to the destination.
    package var connection: Observation<ConnectionEvidence>
    /// The connection to the other environment of Apple.
    package var other: Observation<ConnectionEvidence>
    /// As it was given.
    package var topic: Observation<String>
    /// As it was given.
    package var deviceToken: Observation<String>
    /// Why no push is sent to the device token; nil where one is.
    package var deviceNotAsked: String?
    package var queue: Observation<QueueEvidence>

    /// - Parameter why: Why nothing is seen yet.
    package init(destination: Destination, nothingSeen why: String) {
        self.destination = destination
        credentials = .unseen(why)
        key = .unseen(why)
        providerToken = .unseen(why)
        certificate = .unseen(why)
        clock = .unseen(why)
        date = .unseen(why)
        proxy = .unseen(why)
        names = .unseen(why)
        connection = .unseen(why)
        other = .unseen(why)
        topic = .unseen(why)
        deviceToken = .unseen(why)
        queue = .unseen(why)
    }
}

/// Where notifications are sent to.
package struct Destination: Hashable, Sendable {
    package var host: String
    package var port: Int
    /// Nil for a gateway that is not Apple's.
    package var environment: APNSEnvironment?

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
        environment = Destination.environment(ofHost: host)
    }

    /// The environment of Apple's that a host belongs to (docs/reference/apns.md 1.1).
    package static func environment(ofHost host: String) -> APNSEnvironment? {
        var name = host.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        if name == "api.development.push.apple.com" { return .sandbox }
        return APNSEnvironment.allCases.first { $0.host == name }
    }

    /// The name in messages: the environment of Apple, or the host of a gateway.
    package var name: String { environment.map { "Apple's \($0.rawValue)" } ?? "the gateway \(host)" }
}

extension APNSEnvironment {
    /// The environment that is not this one.
    package var other: APNSEnvironment { self == .sandbox ? .production : .sandbox }
}
