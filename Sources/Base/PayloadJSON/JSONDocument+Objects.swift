extension JSONDocument {
    /// The objects at all depths, in the order in which they begin.
    package var objects: some Sequence<JSONIndex> {
        (0..<extent.nodeCount).lazy.filter { nodes[$0].kind == .object }.map { JSONIndex(position: $0) }
    }

    /// The id of a key in `table`; nil if the table does not have it.
    package func find(_ key: JSONIndex, in table: JSONKeyTable) -> UInt8? {
        let node = nodes[key.position]
        guard node.hasEscapes else {
            return bytes.withUnsafeBufferPointer {
                JSONDocument.find(in: table, $0, Int(node.start) + 1, Int(node.end - node.start) - 2)
            }
        }
        let text = textBytes(of: node)
        return text.withUnsafeBufferPointer { JSONDocument.find(in: table, $0, 0, text.count) }
    }

    private static func find(
        in table: JSONKeyTable, _ text: UnsafeBufferPointer<UInt8>, _ start: Int, _ count: Int
    ) -> UInt8? {
        let (first, last) = JSONKeyTable.words(of: text, start, count)
        return table.find(first, last, of: text, start, count)
    }
}
