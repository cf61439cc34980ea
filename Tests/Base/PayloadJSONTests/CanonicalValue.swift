import PayloadJSON

/// The value of a document in the form of Tests/Vectors/json.ndjson: strings as the hexadecimal digits of their UTF-8,
/// integers of 64 bits in decimal, other numbers as the bits of the nearest double, or `big` beyond its range.
struct CanonicalValue {
    let document: JSONDocument

    func text(of index: JSONIndex = .root) -> String {
        switch document.kind(of: index) {
        case .null: return "null"
        case .true: return "true"
        case .false: return "false"
        case .string: return "s" + (document.string(of: index) ?? "?").utf8.map { hex(UInt64($0), digits: 2) }.joined()
        case .integer, .fraction:
            if let integer = document.integer(of: index) { return "i\(integer)" }
            return document.number(of: index).map { "d" + hex($0.bitPattern, digits: 16) } ?? "big"
        case .array: return "[" + document.elements(of: index).map { text(of: $0) }.joined(separator: ",") + "]"
        case .object:
            let members = document.members(of: index).map { text(of: $0.key) + ":" + text(of: $0.value) }
            return "{" + members.joined(separator: ",") + "}"
        }
    }

    private func hex(_ value: UInt64, digits: Int) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: digits - text.count) + text
    }
}
