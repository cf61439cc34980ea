/// A statement with its parameters. A connection prepares each text once.
package struct PostgresStatement: Hashable, Sendable {
    package let sql: String
    /// Nil is NULL. Each is text that the server casts, as the statement says.
    package let parameters: [String?]

    package init(_ sql: String, _ parameters: [String?] = []) {
        self.sql = sql
        self.parameters = parameters
    }
}

/// Arrays as parameters.
package enum PostgresArray {
    /// The text form of an array (PostgreSQL manual, 8.15.2).
    package static func text(_ values: some Sequence<String?>) -> String {
        var text = "{"
        for value in values {
            if text.utf8.count > 1 { text += "," }
            guard let value else {
                text += "NULL"
                continue
            }
            text += "\""
            if value.utf8.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
                for scalar in value.unicodeScalars {
                    if scalar == "\"" || scalar == "\\" { text += "\\" }
                    text.unicodeScalars.append(scalar)
                }
            } else {
                text += value
            }
            text += "\""
        }
        return text + "}"
    }

    package static func text(_ numbers: some Sequence<Int64>) -> String {
        "{\(numbers.map(String.init).joined(separator: ","))}"
    }
}
