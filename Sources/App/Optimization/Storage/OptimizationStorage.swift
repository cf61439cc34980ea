public import Foundation

/// Keeps the client's few values over the end of the process, as texts by key.
public protocol OptimizationStorage: Sendable {
    /// All values, by keys without a prefix.
    ///
    /// - Throws: If they cannot be read now, such as before the device is unlocked for the first time.
    func load() throws -> [String: String]

    /// Sets values, nil for removing one: all of them or none.
    func save(_ changes: [String: String?]) throws
}

/// The keys of stored values. Stores with a space for all have them behind ``prefix``.
public enum OptimizationStorageKey {
    public static let prefix = "com.contentful.optimization."
    public static let profile = "profile"
    /// `accepted` or `denied`.
    public static let consent = "consent"
    public static let changes = "changes"
    public static let personalizations = "personalizations"
    public static let anonymousID = "anonymousId"
    public static let debug = "debug"
    /// Of the later generation: whether anything but the answers may be stored.
    static let storageConsent = "storageConsent"
    /// How often the client was reset, and the profiles before, for events that are still in a durable queue.
    static let people = "people"
    /// What pushes have named and is not fetched yet.
    static let entryUpdates = "entryUpdates"
}

/// Keeps values in memory.
///
/// `@unchecked Sendable` because the lock protects everything.
public final class MemoryOptimizationStorage: OptimizationStorage, @unchecked Sendable {
    private let lock = NSLock()
    private var values: [String: String]

    public init(_ values: [String: String] = [:]) { self.values = values }

    public func load() -> [String: String] { lock.withLock { values } }

    public func save(_ changes: [String: String?]) {
        lock.withLock { for (key, value) in changes { values[key] = value } }
    }
}

/// Keeps values in the user defaults, as the original does. They are not protected before the device is unlocked.
///
/// `@unchecked Sendable` because `UserDefaults` may be used from all threads, and is not marked so everywhere.
public final class UserDefaultsOptimizationStorage: OptimizationStorage, @unchecked Sendable {
    private let defaults: UserDefaults

    public init(_ defaults: UserDefaults = .standard) { self.defaults = defaults }

    private static let keys = [
        OptimizationStorageKey.profile, OptimizationStorageKey.consent, OptimizationStorageKey.changes,
        OptimizationStorageKey.personalizations, OptimizationStorageKey.anonymousID, OptimizationStorageKey.debug,
        OptimizationStorageKey.storageConsent, OptimizationStorageKey.people, OptimizationStorageKey.entryUpdates,
    ]

    public func load() -> [String: String] {
        var values: [String: String] = [:]
        for key in UserDefaultsOptimizationStorage.keys {
            values[key] = defaults.string(forKey: OptimizationStorageKey.prefix + key)
        }
        return values
    }

    public func save(_ changes: [String: String?]) {
        for (key, value) in changes {
            if let value {
                defaults.set(value, forKey: OptimizationStorageKey.prefix + key)
            } else {
                defaults.removeObject(forKey: OptimizationStorageKey.prefix + key)
            }
        }
    }
}
