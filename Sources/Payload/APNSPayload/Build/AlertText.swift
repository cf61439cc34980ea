/// A text that an alert shows: as it is, or by a key in the strings file of the app.
public enum AlertText: Hashable, Sendable {
    case plain(String)
    /// The arguments take the places of `%@` and `%1$@` in the app's text.
    case localized(key: String, arguments: [String])

    public static func localized(_ key: String, _ arguments: [String] = []) -> AlertText {
        .localized(key: key, arguments: arguments)
    }
}

extension AlertText: ExpressibleByStringInterpolation {
    public init(stringLiteral text: String) { self = .plain(text) }
}

extension PayloadWriter {
    /// The form of a Live Activity: an object in place of the string.
    mutating func write(_ key: String, nested text: AlertText) {
        switch text {
        case .plain(let text): write(key, text)
        case .localized(let name, let values):
            write(key) { object in
                object.write("loc-key", name)
                object.write("loc-args", texts: values)
            }
        }
    }
}
