/// How much JSON somebody else may make us hold.
package struct JSONLimits: Hashable, Sendable {
    /// UTF-8 bytes of the text; where values come ready made, of all keys and strings together.
    package var maximumBytes: Int
    /// Arrays and objects inside one another; a bare value has depth 0.
    package var maximumDepth: Int
    /// Values of every kind, containers included.
    package var maximumValues: Int

    package init(maximumBytes: Int, maximumDepth: Int, maximumValues: Int) {
        self.maximumBytes = maximumBytes
        self.maximumDepth = maximumDepth
        self.maximumValues = maximumValues
    }

    /// For a push: far above the 5120 bytes that APNs lets through, far below what would hurt.
    package static let push = JSONLimits(maximumBytes: 16_384, maximumDepth: 32, maximumValues: 4_096)
}
