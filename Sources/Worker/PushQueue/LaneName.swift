/// The name of a lane: a part of the queue with a weight of its own, such as `high`, `normal` or `bulk`.
package struct LaneName: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let text: String

    /// Fails unless `text` has 1 to 32 characters out of `a-z`, `0-9`, `-` and `_`. So it can be part of a key of Redis.
    package init?(_ text: some StringProtocol) {
        guard (1...32).contains(text.utf8.count), text.utf8.allSatisfy(LaneName.isAllowed) else { return nil }
        self.text = String(text)
    }

    private init(known text: String) { self.text = text }

    package static let high = LaneName(known: "high")
    package static let normal = LaneName(known: "normal")
    package static let bulk = LaneName(known: "bulk")

    package var description: String { text }

    package static func < (left: LaneName, right: LaneName) -> Bool { left.text < right.text }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
