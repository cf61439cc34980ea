/// What a transaction has made of one record.
package struct RecordVersion: Sendable {
    package let key: RecordKey
    /// Nil if no record has the key any more.
    package let record: LocalRecord?

    package init(_ key: RecordKey, _ record: LocalRecord?) {
        self.key = key
        self.record = record
    }
}

/// What a transaction has changed.
package enum StoreChange: Sendable {
    /// Records of one object. A record with a new key is in it twice, first under the former key without a record.
    case records([RecordVersion], object: String)
    /// More than is worth listing; nil stands for all objects.
    case many(object: String?)
    /// The pending hints.
    case hints

    /// - Parameter object: What is observed; nil for all objects and the hints.
    package func concerns(_ object: String?) -> Bool {
        guard let object else { return true }
        return switch self {
        case .records(_, let changed): changed == object
        case .many(let changed): changed == nil || changed == object
        case .hints: false
        }
    }
}
