/// What a `PushSetup` asks of the system. `UIKitConnection` asks iOS; a test has a double.
public protocol PushSystem: Sendable {
    /// Asks for the device token. It comes later, to the app's delegate.
    func registerForRemoteNotifications() async

    /// Asks the user to allow alerts, sounds and badges. The system shows the question once; later calls return the answer.
    ///
    /// - Returns: Whether the user allows them.
    func requestAuthorization() async throws -> Bool
}

/// An event of a `PushSetup`, for a log or a metric.
public enum PushSetupEvent: Hashable, Sendable {
    /// The user has answered, now or at an earlier launch.
    case permission(isGranted: Bool)
    case permissionFailed(errorType: String)
    /// The system delivers no device token, for example without a connection. The next launch asks again.
    case noDeviceToken(errorType: String)
}

/// Asks the system for what pushes need: the device token at each launch, and once for the user's permission to show
/// notifications. Silent pushes need no permission, so nothing waits for the answer, and nothing else depends on it.
public actor PushSetup {
    private let system: any PushSystem
    private let onEvent: @Sendable (PushSetupEvent) -> Void
    private var asks: Bool

    /// - Parameters:
    ///   - asksForPermission: Whether to ask when the app first becomes active. Otherwise call `askForPermission()` at a
    ///     moment when the user sees why.
    ///   - onEvent: Called in order, inside the actor; it should return quickly.
    public init(
        _ system: any PushSystem, asksForPermission: Bool = true,
        onEvent: @escaping @Sendable (PushSetupEvent) -> Void = { _ in }
    ) {
        self.system = system
        self.onEvent = onEvent
        asks = asksForPermission
    }

    /// The process was launched, for the user or in the background.
    public func launched() async { await system.registerForRemoteNotifications() }

    /// The app became active. Returns when the user has answered.
    public func becameActive() async {
        if asks { await askForPermission() }
    }

    /// - Returns: Whether the user allows notifications; false if the system could not ask.
    @discardableResult
    public func askForPermission() async -> Bool {
        asks = false
        do {
            let isGranted = try await system.requestAuthorization()
            onEvent(.permission(isGranted: isGranted))
            return isGranted
        } catch {
            onEvent(.permissionFailed(errorType: "\(type(of: error))"))
            return false
        }
    }

    /// The system delivers no device token.
    public func failedToRegister(_ error: any Error) { onEvent(.noDeviceToken(errorType: "\(type(of: error))")) }
}
