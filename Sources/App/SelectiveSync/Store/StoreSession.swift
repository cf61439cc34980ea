/// Numbers the times between which a store removes everything, because another user logs in or the user erases it.
///
/// What a store holds during one generation belongs to one user.
public struct StoreGeneration: Hashable, Sendable {
    /// Grows each time the store removes everything, and never goes back in one file.
    public let number: Int64

    public init(number: Int64) { self.number = number }
}

/// The user's edits of the records in a store, and decisions about them.
///
/// ```swift
/// let session = try await store.session()
/// for conflict in try await store.conflicts(of: "Account") {
///     try await session.resolve(conflict, of: "Account", choose(conflict))
/// }
/// ```
///
/// A screen takes the session together with the records that it shows, and keeps both. After another user has logged in, or
/// everything was erased, every call throws `SyncStoreError.otherUser` and changes nothing. So what one user has begun never
/// reaches the records of the next one, however late it is saved.
public struct StoreSession: Sendable {
    let store: any UploadStore
    let generation: StoreGeneration

    package init(_ store: any UploadStore, _ generation: StoreGeneration) {
        self.store = store
        self.generation = generation
    }
}

extension UploadStore {
    /// The edits of the user whose records the store holds now.
    public func session() async throws -> StoreSession { StoreSession(self, try await generation()) }
}
