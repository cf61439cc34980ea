import Foundation

/// Keeps the small state of the library: the ids of device and session, what is known about the person, and events on their
/// way into the queue. One client owns it.
public protocol PersonalizationStorage: Sendable {
    /// What was saved last; nil if nothing was. A damaged state is set aside.
    ///
    /// - Throws: `PersonalizationError` with the code `storage` if it cannot be read now, such as before the device is unlocked
    ///   for the first time.
    func load() throws -> LoadedState?

    /// Replaces the state, all of it or nothing.
    func save(_ bytes: [UInt8]) throws

    /// Moves the state out of the way, because the client cannot read what `load` has returned.
    ///
    /// - Returns: Where it is now; nil if it is nowhere.
    func setAside() throws -> String?

    /// Removes what was set aside, because it may contain personal data. The client calls it when a person logs out or opts
    /// out.
    func removeSetAside() throws
}

extension PersonalizationStorage {
    /// Keeps nothing: the next `save` replaces the state.
    public func setAside() -> String? { nil }

    public func removeSetAside() {}
}

/// What a storage has found.
public struct LoadedState: Hashable, Sendable {
    /// Nil if the state was damaged.
    public var bytes: [UInt8]?
    /// Where the damaged state is now; nil if there was no damage. It may contain personal data.
    public var setAside: String?

    public init(bytes: [UInt8]?, setAside: String? = nil) {
        self.bytes = bytes
        self.setAside = setAside
    }
}

/// Keeps the state in memory: each process is a new installation.
///
/// `@unchecked Sendable` because the lock protects everything.
public final class MemoryPersonalizationStorage: PersonalizationStorage, @unchecked Sendable {
    private let lock = NSLock()
    private var bytes: [UInt8]?

    public init() {}

    public func load() -> LoadedState? { lock.withLock { bytes }.map { LoadedState(bytes: $0) } }

    public func save(_ bytes: [UInt8]) { lock.withLock { self.bytes = bytes } }
}
