public import PushDispatch

/// The key of a record in a local store: the id from the server, or a local number until the record is uploaded.
public enum RecordKey: Hashable, Sendable {
    case server(RecordID)
    /// Created on this device and not uploaded; nine digits (docs/reference/selective-sync.md 7.1).
    case local(Int)

    private static let prefix = "local_"
    private static let digits = 9

    /// A random key for a new record. A store refuses a key that it already has.
    public static func newLocal(using generator: inout some RandomNumberGenerator) -> RecordKey {
        .local(Int.random(in: 0..<1_000_000_000, using: &generator))
    }

    /// Reads the form that `description` writes, and the 15-character form of an id.
    public init?(_ text: String) {
        guard text.hasPrefix(RecordKey.prefix) else {
            guard let id = RecordID(text) else { return nil }
            self = .server(id)
            return
        }
        let number = text.utf8.dropFirst(RecordKey.prefix.utf8.count)
        guard number.count == RecordKey.digits,
            number.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let value = Int(String(decoding: number, as: UTF8.self))
        else { return nil }
        self = .local(value)
    }

    /// Nil until the record is uploaded.
    public var id: RecordID? {
        if case .server(let id) = self { id } else { nil }
    }
}

extension RecordKey: CustomStringConvertible {
    public var description: String {
        switch self {
        case .server(let id): return id.description
        case .local(let number):
            let text = String(number)
            return RecordKey.prefix + String(repeating: "0", count: max(0, RecordKey.digits - text.utf8.count)) + text
        }
    }
}
