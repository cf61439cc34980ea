/// Some names of keys, made for finding which of them a key is.
package struct JSONKeyTable: Sendable {
    private struct Entry: Sendable {
        let name: [UInt8]
        let id: UInt8
    }

    /// By the number of bytes.
    private let entries: [[Entry]]

    package init(_ names: [(name: String, id: UInt8)]) {
        let longest = names.map(\.name.utf8.count).max() ?? 0
        var entries = [[Entry]](repeating: [], count: longest + 1)
        for (name, id) in names { entries[name.utf8.count].append(Entry(name: Array(name.utf8), id: id)) }
        self.entries = entries
    }

    /// The id of the name that these bytes are.
    func find(_ bytes: some Collection<UInt8>) -> UInt8? {
        guard bytes.count < entries.count else { return nil }
        return entries[bytes.count].first { $0.name.elementsEqual(bytes) }?.id
    }
}

extension JSONDocument {
    /// The id that the text of a key has in `table`.
    package func find(_ key: JSONIndex, in table: JSONKeyTable) -> UInt8? {
        let node = nodes[key.position]
        return node.hasEscapes ? table.find(textBytes(of: node)) : table.find(plainBytes(of: node))
    }

    /// Whether a null stands somewhere in the text.
    package var containsNull: Bool { nodes.contains { $0.kind == .null } }

    /// Whether an object somewhere in the text has a key more than once.
    package var repeatsKey: Bool {
        nodes.indices.contains { nodes[$0].kind == .object && !repeatedKeys(of: JSONIndex(position: $0)).isEmpty }
    }
}
