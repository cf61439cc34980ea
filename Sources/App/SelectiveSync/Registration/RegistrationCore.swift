import PushDispatch

/// Decides when a device registers with the CRM, by the table of docs/reference/selective-sync.md 4.4. No I/O.
package struct RegistrationCore: Hashable, Sendable {
    package enum Registering: Hashable, Sendable {
        case request(user: String, deviceToken: String)
        case ended(RegistrationResult)
    }

    private let isSimulator: Bool
    private let registersOnForeground: Bool
    package private(set) var user: String?
    /// In lower-case hexadecimal digits.
    package private(set) var deviceToken: String?
    private var isLoggingOut = false

    package init(isSimulator: Bool, registersOnForeground: Bool) {
        self.isSimulator = isSimulator
        self.registersOnForeground = registersOnForeground
    }

    /// - Returns: Whether to register.
    package mutating func loggedIn(_ user: String) -> Bool {
        self.user = user
        isLoggingOut = false
        return deviceToken != nil
    }

    /// The system has delivered a device token, a new one or the same.
    ///
    /// - Returns: Whether to register.
    package mutating func received(deviceToken: String) -> Bool {
        self.deviceToken = deviceToken
        return user != nil && !isLoggingOut
    }

    /// - Returns: Whether to register.
    package func cameToForeground() -> Bool {
        registersOnForeground && user != nil && deviceToken != nil && !isLoggingOut
    }

    /// - Returns: The user who logs out.
    package mutating func logsOut() -> String? {
        isLoggingOut = true
        return user
    }

    /// The registration is removed. A user who has logged in meanwhile stays logged in.
    package mutating func loggedOut() {
        guard isLoggingOut else { return }
        user = nil
        isLoggingOut = false
    }

    /// What a registration has to do. On a simulator the device token is not needed, because there may never be one.
    package func register() -> Registering {
        guard let user, !isLoggingOut else { return .ended(.failed(.noUser)) }
        guard !isSimulator else { return .ended(.nothingToDo(.simulator)) }
        guard let deviceToken else { return .ended(.failed(.noDeviceToken)) }
        return .request(user: user, deviceToken: deviceToken)
    }
}
