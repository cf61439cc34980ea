/// Limits for JSON from outside, so that it cannot use up memory or stack.
package struct JSONLimits: Hashable, Sendable {
    /// UTF-8 bytes of the text. For a dictionary, UTF-8 bytes of all its keys and strings.
    package var maximumBytes: Int
    /// Nested arrays and objects; a value outside of any has depth 0.
    package var maximumDepth: Int
    /// Values of every kind, containers included.
    package var maximumValues: Int

    package init(maximumBytes: Int, maximumDepth: Int, maximumValues: Int) {
        self.maximumBytes = maximumBytes
        self.maximumDepth = maximumDepth
        self.maximumValues = maximumValues
    }

    /// For a push: far above the 5120 bytes that APNs accepts, and small enough to be harmless.
    package static let push = JSONLimits(maximumBytes: 16_384, maximumDepth: 32, maximumValues: 4_096)
}
