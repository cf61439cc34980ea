import PushDispatch

/// Reads the members of an object from outside. A value of another kind counts as missing, and is noted.
struct ObjectReader {
    let members: [String: JSONValue]
    private let path: String
    var issues = IssueList()

    /// - Parameter path: Where the object is, for issues; empty for the top.
    init(_ members: [String: JSONValue], at path: String = "") {
        self.members = members
        self.path = path
    }

    func place(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    mutating func note(_ key: String, _ detail: @autoclosure () -> String) { issues.add(place(key), detail()) }

    /// Nil if the member is missing or null.
    private func value(_ key: String) -> JSONValue? {
        guard let value = members[key], value != .null else { return nil }
        return value
    }

    private mutating func read<Value>(
        _ key: String, _ expected: String, _ convert: (JSONValue) -> Value?
    ) -> Value? {
        guard let value = value(key) else { return nil }
        let read = convert(value)
        if read == nil { note(key, "is \(value.kindInWords) instead of \(expected), and is left out") }
        return read
    }

    mutating func text(_ key: String) -> String? { read(key, "a string") { $0.string } }

    /// A text that is not empty. Without it the object cannot be used, so its absence is noted too.
    mutating func id(_ key: String) -> String? {
        guard let text = text(key) else {
            if value(key) == nil { note(key, "is missing") }
            return nil
        }
        if text.isEmpty { note(key, "is empty") }
        return text.isEmpty ? nil : text
    }

    mutating func flag(_ key: String) -> Bool { read(key, "a Boolean") { $0.flag } ?? false }

    mutating func number(_ key: String) -> Double? { read(key, "a number") { $0.double } }

    mutating func integer(_ key: String) -> Int? { read(key, "a whole number") { $0.wholeNumber } }

    mutating func list(_ key: String) -> [JSONValue] { read(key, "an array") { $0.array } ?? [] }

    mutating func object(_ key: String) -> [String: JSONValue] { read(key, "an object") { $0.object } ?? [:] }

    /// The strings of an array; other elements are noted.
    mutating func texts(_ key: String) -> [String] {
        var texts: [String] = []
        for (index, element) in list(key).enumerated() {
            if let text = element.string {
                texts.append(text)
            } else {
                note("\(key)[\(index)]", "is \(element.kindInWords) instead of a string, and is left out")
            }
        }
        return texts
    }
}

extension JSONValue {
    /// A finite number; nil for other kinds.
    var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number) where number.isFinite: number
        default: nil
        }
    }

    /// A number without a fraction; nil for other kinds.
    var wholeNumber: Int? {
        switch self {
        case .integer(let number): Int(exactly: number)
        case .number(let number): Int(exactly: number)
        default: nil
        }
    }
}

extension String {
    /// The text in a message: an id from outside can have any length.
    var inMessage: String { utf8.count <= 80 ? self : "\(prefix(60))…" }
}
