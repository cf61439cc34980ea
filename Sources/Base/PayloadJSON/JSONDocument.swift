/// A JSON text as a flat array of nodes, the tape, with the byte range of each key and value, and with repeated keys.
///
/// It stores the bytes unchanged, and decodes strings and numbers when they are read.
package struct JSONDocument: Sendable {
    package private(set) var bytes: [UInt8]
    /// The tape. It may be longer than the nodes in use.
    @usableFromInline private(set) var nodes: [JSONNode]
    var extent: JSONParser.Extent

    /// The default limit for nested arrays and objects.
    package static let defaultMaximumDepth = 512

    /// Reads one JSON value, with nothing but white space around it.
    package init(_ bytes: [UInt8], maximumDepth: Int = defaultMaximumDepth) throws(JSONSyntaxError) {
        self.init()
        try parse(bytes, maximumDepth: maximumDepth)
    }

    /// The document of the text `null`.
    package init() {
        bytes = []
        nodes = []
        extent = JSONParser.Extent(nodeCount: 0, objectCount: 0, containsNull: true)
        becomeNull()
    }

    /// Replaces the content, reusing the memory of the tape. After a failure the document is that of `null`.
    package mutating func parse(
        _ bytes: [UInt8], maximumDepth: Int = defaultMaximumDepth
    ) throws(JSONSyntaxError) {
        self.bytes = bytes
        try parse(maximumDepth: maximumDepth)
    }

    /// The same with a copy of `text`, which also reuses the memory of the bytes.
    package mutating func parse(
        copying text: UnsafeRawBufferPointer, maximumDepth: Int = defaultMaximumDepth
    ) throws(JSONSyntaxError) {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: text)
        try parse(maximumDepth: maximumDepth)
    }

    private mutating func parse(maximumDepth: Int) throws(JSONSyntaxError) {
        do throws(JSONSyntaxError) {
            guard !bytes.isEmpty else { throw JSONSyntaxError(offset: 0, reason: .empty) }
            guard bytes.count < Int(UInt32.max) else { throw JSONSyntaxError(offset: 0, reason: .tooLong) }
            while true {
                if let extent = try read(maximumDepth: maximumDepth) {
                    self.extent = extent
                    return
                }
                // The tape doubles and reading starts again. That costs less than twice the time, and only while the tape grows.
                nodes += repeatElement(JSONNode.null, count: max(nodes.count, JSONDocument.shortestTape))
            }
        } catch {
            becomeNull()
            throw error
        }
    }

    private static let shortestTape = 64

    /// Nil when the tape is too short.
    private mutating func read(maximumDepth: Int) throws(JSONSyntaxError) -> JSONParser.Extent? {
        try bytes.withUnsafeBufferPointer { text throws(JSONSyntaxError) in
            guard let base = text.baseAddress else { return nil }
            return try nodes.withUnsafeMutableBufferPointer { tape throws(JSONSyntaxError) in
                try JSONParser(base: base, count: text.count, maximumDepth: maximumDepth).parse(onto: tape)
            }
        }
    }

    mutating func replaceBytes(by text: ArraySlice<UInt8>) {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: text)
    }

    /// Writes the first `count` nodes of the tape, which grows if necessary.
    mutating func replaceNodes(_ count: Int, _ write: (UnsafeMutableBufferPointer<JSONNode>) -> Void) {
        if nodes.count < count { nodes += repeatElement(JSONNode.null, count: count - nodes.count) }
        nodes.withUnsafeMutableBufferPointer { write($0) }
    }

    private mutating func becomeNull() {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: "null".utf8)
        if nodes.isEmpty { nodes = [JSONNode.null] } else { nodes[0] = JSONNode.null }
        extent = JSONParser.Extent(nodeCount: 1, objectCount: 0, containsNull: true)
    }
}
