/// A position in the history of a pending list, which grows by one with each hint.
public struct PendingMark: Hashable, Comparable, Sendable, Codable {
    public var number: Int64

    public init(number: Int64) { self.number = number }

    /// Before the first hint.
    public static let start = PendingMark(number: 0)

    public static func < (left: PendingMark, right: PendingMark) -> Bool { left.number < right.number }
}
