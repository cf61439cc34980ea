public import PushDispatch

/// Stores the ids of the app's registrations, one for each user. The app's preferences are sufficient.
public protocol RegistrationStorage: Sendable {
    /// Nil if the user has none.
    func registration(of user: String) async throws -> RecordID?

    /// - Parameter id: Nil removes it.
    func save(_ id: RecordID?, of user: String) async throws
}

/// A storage in memory, for tests.
public actor MemoryRegistrationStorage: RegistrationStorage {
    private var ids: [String: RecordID] = [:]

    public init() {}

    public func registration(of user: String) -> RecordID? { ids[user] }

    public func save(_ id: RecordID?, of user: String) { ids[user] = id }
}
