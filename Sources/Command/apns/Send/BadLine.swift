import PayloadJSON

/// A line of the input that cannot be sent.
struct BadLine: Hashable, Sendable {
    /// How messages name the input.
    var input: String
    /// Counted from 1.
    var number: Int
    /// Where in the line the problem is, from 1; nil for the line as a whole.
    var column: Int?
    /// What is wrong, in a sentence.
    var problem: String

    /// For people: `file:line: problem`, or `file:line:column: problem`.
    var message: String { "\(input):\(number):\(column.map { "\($0):" } ?? "") \(problem)" }

    /// Writes the JSON object of the line: that of an unsent notification, with null for what the line does not have.
    func writeJSON(to buffer: inout TextBuffer) {
        buffer.append(#"{"token":null,"apns-id":null,"apns-unique-id":null,"outcome":"unsent","status":null,"#)
        buffer.append(#""reason":null,"timestamp":null,"attempts":0,"milliseconds":0.0"#)
        buffer.appendError(BadLine.code, column.map { "column \($0): \(problem)" } ?? problem)
        buffer.append(#","line":"#)
        buffer.append(number)
        buffer.append("}")
    }

    /// A line that is not JSON.
    static func notJSON(_ bytes: [UInt8], _ error: JSONSyntaxError, input: String, number: Int) -> BadLine {
        // The general message is about files of one value, too.
        let problem =
            error.reason == .textAfterEnd
            ? "there is more text after the end of the object; write each object on a line of its own"
            : error.description
        return BadLine(
            input: input, number: number, column: LineIndex(bytes).location(of: error.offset).column,
            problem: "not JSON: \(problem)")
    }

    /// The value of `error`.
    static let code = "bad-line"
}
