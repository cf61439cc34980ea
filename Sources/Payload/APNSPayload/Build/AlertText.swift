/// A text that an alert shows: plain, or localized by a key of the app's strings file.
public enum AlertText: Hashable, Sendable {
    case plain(String)
    /// The arguments replace the placeholders `%@` and `%1$@` in the app's text.
    case localized(key: String, arguments: [String])

    public static func localized(_ key: String, _ arguments: [String] = []) -> AlertText {
        .localized(key: key, arguments: arguments)
    }
}

extension AlertText: ExpressibleByStringInterpolation {
    public init(stringLiteral text: String) { self = .plain(text) }
}

extension PayloadWriter {
    /// Writes the form for Live Activities, in which a localized text is an object.
    mutating func write(_ key: String, nested text: AlertText) {
        switch text {
        case .plain(let text): write(key, text)
        case .localized(let name, let values):
            write(key) { object in
                object.write("loc-key", name)
                object.write("loc-args", strings: values)
            }
        }
    }
}
