import Foundation
public import PushDispatch

/// Keeps the ids of registrations in the app's preferences. An id is not a secret: it cannot be used without a session.
public struct PreferencesRegistrationStorage: RegistrationStorage {
    private let suite: String?
    private static let prefix = "apns-toolkit.registration."

    /// - Parameter suite: The name of a suite of preferences; nil for the app's own.
    public init(suite: String? = nil) { self.suite = suite }

    private var preferences: UserDefaults { suite.flatMap { UserDefaults(suiteName: $0) } ?? .standard }

    public func registration(of user: String) -> RecordID? {
        preferences.string(forKey: PreferencesRegistrationStorage.prefix + user).flatMap { RecordID($0) }
    }

    public func save(_ id: RecordID?, of user: String) {
        preferences.set(id?.description, forKey: PreferencesRegistrationStorage.prefix + user)
    }
}
