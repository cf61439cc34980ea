import PushDispatch

/// Decides when a device registers with the CRM, by the table of docs/reference/selective-sync.md 4.4. No I/O.
package struct RegistrationCore: Hashable, Sendable {
    package enum Registering: Hashable, Sendable {
        case request(user: String, deviceToken: String)
        case ended(RegistrationResult)
    }

    private enum Login: Hashable, Sendable {
        case nobody
        case loggedIn(String)
        /// The registration is being removed.
        case loggingOut(String)
    }

    private let isSimulator: Bool
    private let registersOnForeground: Bool
    private var login = Login.nobody
    /// In lower-case hexadecimal digits.
    package private(set) var deviceToken: String?

    package init(isSimulator: Bool, registersOnForeground: Bool) {
        self.isSimulator = isSimulator
        self.registersOnForeground = registersOnForeground
    }

    /// The user who is logged in or logs out.
    package var user: String? {
        switch login {
        case .nobody: nil
        case .loggedIn(let user), .loggingOut(let user): user
        }
    }

    /// The user who can be registered.
    private var registrable: String? {
        if case .loggedIn(let user) = login { user } else { nil }
    }

    /// - Returns: Whether to register.
    package mutating func loggedIn(_ user: String) -> Bool {
        login = .loggedIn(user)
        return deviceToken != nil
    }

    /// The system has delivered a device token, a new one or the same.
    ///
    /// - Returns: Whether to register.
    package mutating func received(deviceToken: String) -> Bool {
        self.deviceToken = deviceToken
        return registrable != nil
    }

    /// - Returns: Whether to register.
    package func cameToForeground() -> Bool {
        registersOnForeground && registrable != nil && deviceToken != nil
    }

    /// - Returns: The user who logs out.
    package mutating func logsOut() -> String? {
        if case .loggedIn(let user) = login { login = .loggingOut(user) }
        return user
    }

    /// The registration is removed. A user who has logged in meanwhile stays logged in.
    package mutating func loggedOut() {
        if case .loggingOut = login { login = .nobody }
    }

    /// What a registration has to do. On a simulator the device token is not needed, because there may never be one.
    package func register() -> Registering {
        guard let user = registrable else { return .ended(.failed(.noUser)) }
        guard !isSimulator else { return .ended(.nothingToDo(.simulator)) }
        guard let deviceToken else { return .ended(.failed(.noDeviceToken)) }
        return .request(user: user, deviceToken: deviceToken)
    }
}
