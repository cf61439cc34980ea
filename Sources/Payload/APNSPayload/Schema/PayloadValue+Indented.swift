import PayloadJSON

extension PayloadValue {
    /// The value with two spaces of indentation for each level and one line for each member. A short array of strings
    /// and numbers is on one line.
    func indented(by indentation: Int = 0) -> String {
        let inner = String(repeating: " ", count: indentation + 2)
        let close = "\n" + String(repeating: " ", count: indentation)
        switch self {
        case .array(let elements) where !elements.isEmpty:
            let short = "[\(elements.map { $0.indented() }.joined(separator: ", "))]"
            if elements.allSatisfy(\.isPlain), indentation + short.count <= 100 { return short }
            let lines = elements.map { inner + $0.indented(by: indentation + 2) }
            return "[\n\(lines.joined(separator: ",\n"))\(close)]"
        case .object(let members) where !members.isEmpty:
            let lines = PayloadValue.sorted(members).map { key, value in
                "\(inner)\(JSONWriter.quoted(key)): \(value.indented(by: indentation + 2))"
            }
            return "{\n\(lines.joined(separator: ",\n"))\(close)}"
        default: return String(decoding: encoded(), as: UTF8.self)
        }
    }

    private var isPlain: Bool {
        switch self {
        case .array, .object: false
        case .string, .integer, .number, .boolean: true
        }
    }
}
