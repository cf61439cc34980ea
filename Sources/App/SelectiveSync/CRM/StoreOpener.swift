/// Opens the app's store. A `CRMSync` calls it when it starts and, if that fails, at each later occasion: before the first
/// unlock after a restart the file cannot be read.
///
/// `StoreOpener.sqlite(in:)` of the library `SelectiveSyncSQLite` opens a database off the main thread.
public struct StoreOpener: Sendable {
    public struct Opened: Sendable {
        public var store: any QueryableStore
        /// What is missing in the store and why, for a log; nil if nothing is. Every object is then synced next.
        public var replacement: String?

        public init(_ store: any QueryableStore, replacement: String? = nil) {
            self.store = store
            self.replacement = replacement
        }
    }

    private let open: @Sendable () async throws -> Opened

    /// - Parameter open: Must not block its thread. It is not called again after it has returned a store.
    public init(_ open: @escaping @Sendable () async throws -> Opened) { self.open = open }

    /// A store that is open already.
    public init(_ store: any QueryableStore) { self.init { Opened(store) } }

    /// Opens the store.
    public func opened() async throws -> Opened { try await open() }
}
