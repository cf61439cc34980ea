/// How far a pending list had grown when it was read.
public struct PendingMark: Hashable, Comparable, Sendable, Codable {
    public var number: Int64

    public init(number: Int64) { self.number = number }

    public static func < (left: PendingMark, right: PendingMark) -> Bool { left.number < right.number }
}
