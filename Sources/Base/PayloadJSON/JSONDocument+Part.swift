extension JSONDocument {
    /// Becomes the document of a value of another one, without reading its text again.
    package mutating func become(_ value: JSONIndex, of other: borrowing JSONDocument) {
        let first = value.position
        let root = other.nodes[first]
        let count = Int(root.following) - first
        replaceBytes(by: other.bytes[Int(root.start)..<Int(root.end)])
        var part = JSONParser.Extent(nodeCount: count, objectCount: 0, containsNull: false)
        part.containsSpace = other.containsSpace
        replaceNodes(count) { nodes in
            other.nodes.withUnsafeBufferPointer { source in
                for position in 0..<count {
                    var node = source[first + position]
                    node.start -= root.start
                    node.end -= root.start
                    node.following -= UInt32(truncatingIfNeeded: first)
                    if node.kind == .object { part.objectCount += 1 }
                    if node.kind == .null { part.containsNull = true }
                    nodes[position] = node
                }
            }
        }
        extent = part
    }
}
