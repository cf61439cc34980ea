/// The name under which a worker reserves jobs. Two workers that run at the same time must not share one.
package struct ConsumerName: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let text: String

    /// Fails unless `text` has 1 to 128 printable ASCII characters, without a space.
    package init?(_ text: some StringProtocol) {
        guard (1...128).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        self.text = String(text)
    }

    package var description: String { text }

    package static func < (left: ConsumerName, right: ConsumerName) -> Bool { left.text < right.text }
}
