/// A problem in a configuration: where it is, what is there and what is expected.
package struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    package var file: String
    /// Counted from 1; nil when it is about the file as a whole.
    package var line: Int?
    /// Counted from 1, in characters; nil where only the line is known.
    package var column: Int?
    /// The keys that lead there, such as `overrides[1].paths`; nil outside of all keys.
    package var key: String?
    package var message: String

    package init(file: String, line: Int? = nil, column: Int? = nil, key: String? = nil, _ message: String) {
        self.file = file
        self.line = line
        self.column = column
        self.key = key
        self.message = message
    }

    package var description: String {
        let place = [line, column].compactMap(\.self).map { ":\($0)" }.joined()
        return "\(file)\(place): \(key.map { $0 + ": " } ?? "")\(message)"
    }
}
