public import Foundation

/// The stable id of an event: a UUID that the event keeps however often it is sent, so that the service can drop repeats.
public struct EventID: Hashable, Sendable, CustomStringConvertible {
    public let uuid: UUID

    public init() {
        // `UUID()` opens a file of the system for its random bytes on Linux, which takes longer than to queue the event.
        var generator = SystemRandomNumberGenerator()
        self.init(using: &generator)
    }

    init(using generator: inout some RandomNumberGenerator) {
        var value: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &value) { bytes in
            bytes.storeBytes(of: generator.next(), toByteOffset: 0, as: UInt64.self)
            bytes.storeBytes(of: generator.next(), toByteOffset: 8, as: UInt64.self)
            // Version 4 and the variant of RFC 9562.
            bytes[6] = bytes[6] & 0x0f | 0x40
            bytes[8] = bytes[8] & 0x3f | 0x80
        }
        uuid = UUID(uuid: value)
    }

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
