public import Foundation

/// The stable id of an event: a UUID that the event keeps however often it is sent, so that the service can drop repeats.
public struct EventID: Hashable, Sendable, CustomStringConvertible {
    public let uuid: UUID

    public init() { uuid = UUID() }

    public init(_ uuid: UUID) { self.uuid = uuid }

    /// Fails unless `text` is a UUID in its usual form with hyphens; upper and lower case are the same.
    public init?(_ text: String) {
        guard let uuid = UUID(uuidString: text) else { return nil }
        self.uuid = uuid
    }

    /// The UUID in lower case.
    public var description: String { uuid.uuidString.lowercased() }
}

extension EventID {
    var bytes: [UInt8] { withUnsafeBytes(of: uuid.uuid) { Array($0) } }

    /// Fails unless there are 16 bytes.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        // Not `UUID()`, which asks the system for random bytes.
        var value: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &value) { $0.copyBytes(from: bytes) }
        uuid = UUID(uuid: value)
    }
}
