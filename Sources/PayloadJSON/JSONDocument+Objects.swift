extension JSONDocument {
    /// Every object of the text, in the order in which they begin.
    package var objects: some Sequence<JSONIndex> {
        nodes.indices.lazy.filter { nodes[$0].kind == .object }.map { JSONIndex(position: $0) }
    }

    /// Whether a hyphen stands in a key as it is written.
    package func hasHyphen(_ key: JSONIndex) -> Bool {
        let range = range(of: key)
        for position in range where bytes[position] == UInt8(ascii: "-") { return true }
        return false
    }
}
