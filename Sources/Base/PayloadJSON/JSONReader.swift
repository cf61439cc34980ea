/// Reads JSON texts one after another, and reuses the memory of the tape.
package struct JSONReader: Sendable {
    package var maximumDepth: Int
    /// The last document; that of `null` before the first, and after a text that was not JSON.
    package private(set) var document = JSONDocument()

    package init(maximumDepth: Int = JSONDocument.defaultMaximumDepth) { self.maximumDepth = maximumDepth }

    package mutating func parse(_ bytes: [UInt8]) throws(JSONSyntaxError) {
        try document.parse(bytes, maximumDepth: maximumDepth)
    }
}
