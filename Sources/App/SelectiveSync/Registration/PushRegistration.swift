import PushDispatch

/// Keeps the device registered with the CRM while its user is logged in, so that pushes reach it.
///
/// ```swift
/// let registration = PushRegistration(bundleID: "com.example.agent", registrar: client, storage: preferences)
/// ```
///
/// Report log-ins, device tokens and the app's coming to the foreground to it, in any order. It registers as soon as user and
/// device token are known. At log-out it removes the registration before the session ends. One request runs at a time, and
/// every call returns even if server and storage fail.
public actor PushRegistration {
    private var core: RegistrationCore
    /// The user who is logged in or logs out.
    var user: String? { core.user }
    private let bundleID: String
    private let registrar: any DeviceRegistrar
    private let storage: any RegistrationStorage
    private let timeoutMilliseconds: Int64
    private let configure: @Sendable (inout DeviceRegistration) -> Void
    private let onEvent: @Sendable (RegistrationEvent) -> Void
    /// Ids that could not be stored.
    private var unsaved: [String: RecordID] = [:]
    private let requests = SerialQueue()

    /// Whether this is a simulator device, which has no registration.
    public static var isOnSimulator: Bool {
        #if targetEnvironment(simulator)
            true
        #else
            false
        #endif
    }

    /// - Parameters:
    ///   - registrar: Usually the `RESTClient` of the user who is logged in.
    ///   - registersOnForeground: Whether to register again when the app comes to the foreground. This restores a
    ///     registration that the CRM has lost.
    ///   - timeoutMilliseconds: The limit for one request.
    ///   - configure: Adds further fields to a registration, such as a community or a public key.
    ///   - onEvent: Called in order, inside the actor; it should return quickly.
    public init(
        bundleID: String, registrar: any DeviceRegistrar, storage: any RegistrationStorage,
        registersOnForeground: Bool = true, isSimulator: Bool = PushRegistration.isOnSimulator,
        timeoutMilliseconds: Int64 = 20_000,
        configure: @escaping @Sendable (inout DeviceRegistration) -> Void = { _ in },
        onEvent: @escaping @Sendable (RegistrationEvent) -> Void = { _ in }
    ) {
        core = RegistrationCore(isSimulator: isSimulator, registersOnForeground: registersOnForeground)
        self.bundleID = bundleID
        self.registrar = registrar
        self.storage = storage
        self.timeoutMilliseconds = timeoutMilliseconds
        self.configure = configure
        self.onEvent = onEvent
    }

    /// A user has logged in, or was logged in when the app was launched.
    ///
    /// - Returns: Nil if there is no device token yet. It is registered when it arrives.
    @discardableResult
    public func loggedIn(_ user: String) async -> RegistrationResult? {
        core.loggedIn(user) ? await register() : nil
    }

    /// The same without the request, so that a log-out that follows finds the user.
    ///
    /// - Returns: Whether to call `register()`.
    func begin(_ user: String) -> Bool { core.loggedIn(user) }

    /// The system has delivered the device token. It may differ from that of the launch before.
    ///
    /// - Returns: Nil if nobody is logged in. It is registered at the log-in.
    @discardableResult
    public func received(deviceToken: some Sequence<UInt8> & Sendable) async -> RegistrationResult? {
        let token = DeviceRegistration(deviceToken: deviceToken, bundleID: bundleID).deviceToken
        return core.received(deviceToken: token) ? await register() : nil
    }

    /// The app came to the foreground.
    ///
    /// - Returns: Nil if there is no reason to register.
    @discardableResult
    public func cameToForeground() async -> RegistrationResult? {
        core.cameToForeground() ? await register() : nil
    }

    /// Registers the device. Registering it again changes nothing at the CRM.
    public func register() async -> RegistrationResult {
        await inOrder { await registerNow() }
    }

    /// Removes the registration. The user stays logged in.
    public func unregister() async -> RegistrationResult {
        await inOrder { await unregisterNow(core.user) }
    }

    /// Logs the user out: removes the registration first, then ends the session. If a registration is running, it is
    /// finished before; otherwise the CRM would keep it.
    ///
    /// - Parameter endSession: Revokes the session at the server and removes the tokens. It runs even if the request failed.
    /// - Throws: What `endSession` throws. Even then nobody is logged in here.
    @discardableResult
    public func logOut(endSession: @Sendable () async throws -> Void) async rethrows -> RegistrationResult {
        let user = core.logsOut()
        let result = await inOrder {
            let result = await unregisterNow(user)
            core.loggedOut()
            return result
        }
        try await endSession()
        return result
    }

    // MARK: One at a time

    private func inOrder(_ request: () async -> RegistrationResult) async -> RegistrationResult {
        await requests {
            let result = await request()
            onEvent(.ended(result))
            return result
        }
    }

    private func registerNow() async -> RegistrationResult {
        let (user, token): (String, String)
        switch core.register() {
        case .ended(let result): return result
        case .request(let who, let deviceToken): (user, token) = (who, deviceToken)
        }
        var device = DeviceRegistration(hexDeviceToken: token, bundleID: bundleID)
        configure(&device)
        let id: RecordID
        do throws(FetchError) {
            id = try await registrar.register(device, timeoutMilliseconds: timeoutMilliseconds)
        } catch {
            return .failed(.server(error))
        }
        await save(id, of: user)
        do throws(FetchError) {
            let types = try await registrar.notificationTypes(timeoutMilliseconds: timeoutMilliseconds)
            onEvent(.notificationTypes(types))
        } catch {
            onEvent(.notificationTypesFailed(error))
        }
        return .registered(id)
    }

    private func unregisterNow(_ user: String?) async -> RegistrationResult {
        guard let user else { return .failed(.noUser) }
        let stored: RecordID?
        do {
            stored = try await storage.registration(of: user)
        } catch {
            guard unsaved[user] != nil else { return .failed(.storage(errorType: "\(type(of: error))")) }
            stored = nil
        }
        guard let id = unsaved[user] ?? stored else { return .nothingToDo(.notRegistered) }
        do throws(FetchError) {
            try await registrar.unregister(id, timeoutMilliseconds: timeoutMilliseconds)
        } catch {
            return .unregisteredWithoutAnswer(error)
        }
        await save(nil, of: user)
        return .unregistered
    }

    private func save(_ id: RecordID?, of user: String) async {
        unsaved[user] = id
        do {
            try await storage.save(id, of: user)
            unsaved[user] = nil
        } catch {
            onEvent(.notSaved(errorType: "\(type(of: error))"))
        }
    }
}
