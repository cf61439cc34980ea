public import PushDispatch

/// Where an app keeps the ids of its registrations, one for each user: its preferences will do.
public protocol RegistrationStorage: Sendable {
    /// Nil where the user has none.
    func registration(of user: String) async throws -> RecordID?

    /// - Parameter id: Nil takes it away.
    func save(_ id: RecordID?, of user: String) async throws
}

/// A storage that lives as long as the process, for tests.
public actor MemoryRegistrationStorage: RegistrationStorage {
    private var ids: [String: RecordID] = [:]

    public init() {}

    public func registration(of user: String) -> RecordID? { ids[user] }

    public func save(_ id: RecordID?, of user: String) { ids[user] = id }
}
