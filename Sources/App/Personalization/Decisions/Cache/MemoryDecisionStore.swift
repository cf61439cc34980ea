import Foundation

/// A store in memory: what it keeps ends with the process.
///
/// `@unchecked Sendable` because the lock protects the bytes.
public final class MemoryDecisionStore: DecisionStore, @unchecked Sendable {
    private let lock = NSLock()
    private var bytes: [UInt8]?

    public init(_ bytes: [UInt8]? = nil) { self.bytes = bytes }

    public func load(maximumBytes: Int) -> [UInt8]? { lock.withLock { bytes } }

    public func save(_ bytes: [UInt8]) { lock.withLock { self.bytes = bytes } }

    public func setAside() -> String? {
        erase()
        return nil
    }

    public func erase() { lock.withLock { bytes = nil } }
}
