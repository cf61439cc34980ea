/// Writes many objects as compact JSON, with keys sorted by their bytes, as `JSONValue.compactBytes` does.
///
/// The records of a batch nearly always have the same keys, so the keys are sorted and escaped once.
package struct JSONObjectWriter {
    private struct Key {
        let name: String
        /// In quotes, with the colon.
        let text: [UInt8]
    }

    private var keys: [Key] = []

    package init() {}

    /// Replaces the contents of `bytes`.
    package mutating func write(_ members: [String: JSONValue], to bytes: inout [UInt8]) {
        bytes.removeAll(keepingCapacity: true)
        if append(members, to: &bytes) { return }
        keys = members.keys.sorted { $0.precedesByBytes($1) }.map { name in
            var text: [UInt8] = []
            JSONValue.append(name, to: &text)
            text.append(UInt8(ascii: ":"))
            return Key(name: name, text: text)
        }
        bytes.removeAll(keepingCapacity: true)
        _ = append(members, to: &bytes)
    }

    /// - Returns: False if the keys differ from those of the previous object.
    private func append(_ members: [String: JSONValue], to bytes: inout [UInt8]) -> Bool {
        guard members.count == keys.count else { return false }
        bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        for key in keys {
            guard let value = members[key.name] else { return false }
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            bytes.append(contentsOf: key.text)
            value.append(to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
        return true
    }
}
