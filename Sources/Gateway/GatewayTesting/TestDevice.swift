public import APNSModel
import GatewayCore
import GatewayServer
import Synchronization

/// A simulated device with one app, made by `TestGateway.device`.
public final class TestDevice: Sendable {
    /// What the app on the device is doing.
    public enum AppState: String, Hashable, Sendable, CaseIterable {
        case foreground, background, suspended, terminated
        case forceQuit = "force-quit"
    }

    public let token: DeviceToken
    /// With the suffix of its kind.
    public let topic: Topic
    private let gateway: TestGateway
    /// How many deliveries `delivery` has returned.
    private let taken = Mutex(0)

    init(_ token: DeviceToken, _ topic: Topic, _ gateway: TestGateway) {
        self.token = token
        self.topic = topic
        self.gateway = gateway
    }

    /// The hexadecimal digits of its device token, for a sender or an expectation.
    public var hex: String { token.hex }

    /// What has reached it, oldest first; only the newest if there are very many.
    public var deliveries: [DeliveredNotification] { gateway.deliveries(to: token.hex) }

    /// Waits for the next delivery that this method has not returned before.
    ///
    /// - Parameter time: By the machine's clock.
    /// - Throws: `TestGatewayError`, which says what happened to the newest notification to this device.
    public func delivery(within time: Duration = .seconds(5)) async throws -> DeliveredNotification {
        let next = taken.withLock { taken in
            defer { taken += 1 }
            return taken
        }
        _ = await gateway.running.wait(upTo: time) { self.deliveries.count > next }
        let reached = deliveries
        guard reached.count > next else {
            taken.withLock { $0 -= 1 }
            throw TestGatewayError(
                "\(reached.isEmpty ? "nothing" : "no delivery after \(reached.count)") has reached the device \(token) "
                    + "within \(time); \(newest)")
        }
        return reached[next]
    }

    /// What happened to the newest notification to it.
    private var newest: String {
        var query = NotificationQuery()
        query.token = token.hex
        query.limit = 1
        let asked = query
        let state = gateway.world { world in world.device(token, in: gateway.running.environment) }
        let isOnline = state.map { $0.isOnline ? "" : ", and the device is offline" } ?? ""
        guard let entry = gateway.world({ $0.notifications(asked) }).entries.first else {
            return "the gateway got no notification for it" + isOnline
        }
        return "the newest notification for it was \(entry.life.map(\.stage.rawValue).joined(separator: ", ")): "
            + (entry.life.last?.why ?? entry.verdict.why) + isOnline
    }

    // MARK: Its state

    /// Takes it off the network: notifications are stored as APNs stores them.
    public func goOffline() throws { try patch(DevicePatch(isOnline: false)) }

    /// Puts it back on the network: what was stored is delivered before this returns.
    public func goOnline() throws { try patch(DevicePatch(isOnline: true)) }

    public func setLowPower(_ isOn: Bool) throws { try patch(DevicePatch(isInLowPower: isOn)) }

    /// Low Data Mode of its network.
    public func setLowData(_ isOn: Bool) throws { try patch(DevicePatch(isInLowData: isOn)) }

    public func setBackgroundRefresh(_ isOn: Bool) throws { try patch(DevicePatch(allowsBackgroundRefresh: isOn)) }

    /// Whether it is in use; notifications of priority 1 may wait for that.
    public func setAwake(_ isAwake: Bool) throws { try patch(DevicePatch(isAwake: isAwake)) }

    /// Whether its user allows the app to show notifications.
    public func setNotifications(_ areAllowed: Bool) throws { try patch(DevicePatch(allowsNotifications: areAllowed)) }

    public func setAppState(_ state: AppState) throws {
        try patch(DevicePatch(appState: Device.AppState(rawValue: state.rawValue)))
    }

    /// Removes the app: later sends get `Unregistered`.
    public func uninstall() throws { try gateway.uninstall(device: token.hex) }

    /// Subscribes it to these broadcast channels, and to no others.
    public func subscribe(to channels: [String]) throws {
        let isKnown: Bool
        do throws(RegistrationError) {
            isKnown = try gateway.running.subscribe(token, to: channels) != nil
        } catch {
            throw TestGatewayError(error.description)
        }
        if !isKnown { throw TestGatewayError("the device \(token) is not registered") }
    }

    private func patch(_ patch: DevicePatch) throws {
        guard gateway.running.patch(token, patch) != nil else {
            throw TestGatewayError("the device \(token) is not registered")
        }
    }
}
