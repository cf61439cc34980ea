public import APNSModel
public import APNSProvider
package import DevelopmentCredentials
import GatewayConfiguration
package import GatewayCore
package import GatewayServer
import Logging
public import ProviderToken

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A gateway simulator that runs for one test, made by `withGateway`.
public final class TestGateway: Sendable {
    /// What happens to a device token that is not registered.
    public enum DevicePolicy: Hashable, Sendable {
        /// It is registered on first use.
        case open
        /// It is refused with `BadDeviceToken`.
        case strict
    }

    public enum Clock: Hashable, Sendable {
        case real
        /// Stands still until `advance(by:)`. It starts at this time in seconds since 1970-01-01 UTC; nil stands for the
        /// machine's time. Senders sign with the machine's clock: if the two differ by more than an hour, provider tokens
        /// are refused.
        case manual(startingAt: Int64? = nil)
    }

    /// A provider that trusts the gateway's certificate and signs with a key that the gateway knows.
    public let provider: PushProvider
    /// The app of the device that `withGateway` registered.
    public let topic: Topic
    package let running: RunningGateway

    init(_ running: RunningGateway, topic: Topic) throws {
        self.running = running
        self.topic = topic
        // What connections do is not shown in the output of tests.
        var logger = Logger(label: "apns.provider")
        logger.logLevel = .warning
        provider = try PushProvider(TestGateway.configuration(running), logger: logger)
    }

    /// Created once for all gateways of a process.
    package static let credentials = Result { () throws(CredentialsError) in try DevelopmentCredentials.make() }

    package static var machineSeconds: Int64 { Int64(Date().timeIntervalSince1970.rounded(.down)) }

    /// For senders: `https://127.0.0.1:PORT`.
    public var url: String { running.url }
    /// The control API: `http://127.0.0.1:PORT`.
    public var controlURL: String { running.controlURL }
    /// The certificate of the authority that senders have to trust.
    public var caPEM: [UInt8] { running.credentials.caPEM }
    /// The key that the gateway knows, for senders other than `provider`.
    public var signingKey: SigningKey { running.credentials.key }
    public var keyID: KeyID { running.credentials.keyID }
    public var teamID: TeamID { running.credentials.teamID }

    /// Looks at the gateway's world.
    package func world<Value: Sendable>(_ body: (borrowing World) -> Value) -> Value { running.read(body) }
}

/// Devices.
extension TestGateway {
    /// Registers a device that is connected: accepted notifications are delivered at once.
    ///
    /// - Parameters: As those of `register`.
    public func device(_ device: String? = nil, topic: String? = nil) throws -> TestDevice {
        let token = try register(device: device, topic: topic)
        guard let known = world({ [environment = running.environment] in $0.device(token, in: environment) }) else {
            throw TestGatewayError("the device \(token) is not registered")
        }
        return TestDevice(token, known.topic, self)
    }

    /// Registers a device that is connected.
    ///
    /// - Parameters:
    ///   - device: Hexadecimal digits; nil makes a random device token.
    ///   - topic: Nil is `topic`. A suffix such as `.voip` makes a device token of that kind.
    @discardableResult
    public func register(device: String? = nil, topic: String? = nil) throws -> DeviceToken {
        do throws(RegistrationError) {
            let registered = try running.register(
                DeviceRegistration(
                    topic: topic ?? self.topic.value, token: device, environment: running.environment))
            _ = running.connect(registered.token)
            return registered.token
        } catch {
            throw TestGatewayError(error.description)
        }
    }

    /// Removes the app from a device: later sends get `Unregistered`.
    public func uninstall(device: String) throws {
        guard running.uninstall(try TestGateway.token(device)) != nil else { throw TestGateway.unknown(device) }
    }

    /// Takes a device off the network or puts it back, which delivers what was stored for it.
    public func setOnline(_ isOnline: Bool, device: String) throws {
        guard running.patch(try TestGateway.token(device), DevicePatch(isOnline: isOnline)) != nil else {
            throw TestGateway.unknown(device)
        }
    }

    static func token(_ text: String) throws(TestGatewayError) -> DeviceToken {
        guard let token = DeviceToken(text) else {
            throw TestGatewayError(
                "\"\(DeviceToken.shorten(text))\" is not a device token: an even number of hexadecimal digits")
        }
        return token
    }

    private static func unknown(_ text: String) -> TestGatewayError {
        TestGatewayError("the device \(DeviceToken.shorten(text)) is not registered")
    }
}

/// What happened.
extension TestGateway {
    /// What reached a device, oldest first; only the newest if there are very many. Empty for a device that is not
    /// registered.
    public func deliveries(to device: String) -> [DeliveredNotification] {
        guard let token = DeviceToken(device) else { return [] }
        let environment = running.environment
        // No delivery has an empty id, so the whole history is returned.
        let reached = world { $0.deliveries(to: token, in: environment, since: "") }
        return reached?.deliveries.map { DeliveredNotification($0) } ?? []
    }

    /// The newest requests with their verdicts, oldest first.
    ///
    /// - Parameter limit: 1 to 1000.
    public func notifications(limit: Int = 1000) -> [JudgedNotification] {
        var query = NotificationQuery()
        query.limit = limit
        let asked = query
        return world { $0.notifications(asked) }.entries.reversed().map { JudgedNotification($0) }
    }

    /// Changes how the gateway answers an unsettled question about APNs, from the next request on.
    ///
    /// - Parameters:
    ///   - name: One of `docs/reasons.md`, such as `malformed-json`.
    ///   - word: One of its values there, such as `refuse`.
    public func setContested(_ name: String, to word: String) throws {
        try running.changeSettings { settings throws(TestGatewayError) in
            try settings.contested.set([name: word])
        }
    }

    /// Moves the gateway's clock forward; what is due then happens before this returns.
    public func advance(by duration: Duration) {
        running.advanceClock(by: duration.wholeNanoseconds / 1_000_000)
    }

    /// The gateway's time in whole seconds since 1970-01-01 UTC.
    public var now: Int64 { running.now / 1000 }

    /// A notification to a device: for `topic`, as a background push with priority 5.
    public func notification(to device: String, payload: String) throws -> APNSNotification {
        APNSNotification(
            to: try TestGateway.token(device), topic: topic, pushType: .background, priority: .powerConsiderate,
            payload: Array(payload.utf8))
    }
}
