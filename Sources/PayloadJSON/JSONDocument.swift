/// A JSON text read into one flat tape of nodes, which keeps the place of every key and value and all repeated keys.
///
/// The bytes are kept as they came; strings and numbers are decoded when asked for.
package struct JSONDocument: Sendable {
    package private(set) var bytes: [UInt8]
    var nodes: [JSONNode]

    /// How deep arrays and objects may be nested unless said otherwise.
    package static let defaultMaximumDepth = 512

    /// Reads `bytes` as one JSON value with nothing but white space around it.
    package init(_ bytes: [UInt8], maximumDepth: Int = defaultMaximumDepth) throws(JSONSyntaxError) {
        self.init()
        try parse(bytes, maximumDepth: maximumDepth)
    }

    /// The document of the text `null`.
    package init() {
        bytes = Array("null".utf8)
        nodes = [JSONNode(start: 0, end: 4, following: 1, kind: .null)]
    }

    /// Replaces the content, reusing the memory of the tape. After a failure the document is that of `null`.
    package mutating func parse(
        _ bytes: [UInt8], maximumDepth: Int = defaultMaximumDepth
    ) throws(JSONSyntaxError) {
        var nodes: [JSONNode] = []
        swap(&nodes, &self.nodes)
        nodes.removeAll(keepingCapacity: true)
        do throws(JSONSyntaxError) {
            nodes = try bytes.withUnsafeBufferPointer { buffer throws(JSONSyntaxError) in
                guard let base = buffer.baseAddress, buffer.count > 0 else {
                    throw JSONSyntaxError(offset: 0, reason: .empty)
                }
                guard buffer.count < Int(UInt32.max) else { throw JSONSyntaxError(offset: 0, reason: .tooLong) }
                var parser = JSONParser(base, count: buffer.count, maximumDepth: maximumDepth, nodes: nodes)
                nodes = []
                try parser.parse()
                return parser.nodes
            }
            self.nodes = nodes
            self.bytes = bytes
        } catch {
            self = JSONDocument()
            throw error
        }
    }
}
