/// Reads one text after another with the memory of one tape.
package struct JSONReader: Sendable {
    package var maximumDepth: Int
    /// The text read last; that of `null` before the first and after one that was not JSON.
    package private(set) var document = JSONDocument()

    package init(maximumDepth: Int = JSONDocument.defaultMaximumDepth) { self.maximumDepth = maximumDepth }

    package mutating func parse(_ bytes: [UInt8]) throws(JSONSyntaxError) {
        try document.parse(bytes, maximumDepth: maximumDepth)
    }
}
