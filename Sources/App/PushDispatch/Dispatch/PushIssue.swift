/// A problem in a payload. It is reported and is never fatal.
///
/// Pointer and detail hold no value of the payload, since it may be personal data. They hold only names of keys and
/// types, shortened and without control characters.
public struct PushIssue: Error, Hashable, Sendable {
    /// Open, because later versions may add codes.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String

        public init(_ rawValue: String) { self.rawValue = rawValue }

        public var description: String { rawValue }
    }

    public let code: Code
    /// The place, as a JSON Pointer (RFC 6901); empty for the whole payload.
    public let pointer: String
    /// What is there and what is expected.
    public let detail: String

    public init(_ code: Code, at pointer: String, _ detail: String) {
        self.code = code
        self.pointer = pointer
        self.detail = detail
    }
}

extension PushIssue.Code {
    /// The payload is not a JSON object in UTF-8.
    public static let notJSON = PushIssue.Code("not-json")
    /// The payload has more bytes, levels or values than any real push. It is ignored as a whole.
    public static let tooLarge = PushIssue.Code("too-large")
    public static let unsupportedValue = PushIssue.Code("unsupported-value")
    public static let missingKey = PushIssue.Code("missing-key")
    public static let unknownType = PushIssue.Code("unknown-type")
    public static let wrongKind = PushIssue.Code("wrong-kind")
    /// The custom reader of the type threw an error.
    public static let unreadable = PushIssue.Code("unreadable")
    public static let invalidID = PushIssue.Code("invalid-id")
    /// An 18-character id had wrong upper and lower case, which was corrected by its suffix.
    public static let repairedID = PushIssue.Code("repaired-id")
}

extension PushIssue {
    private static let maximumNameCharacters = 40

    /// A name from the payload, shortened to 40 characters, with `?` for each control character.
    static func shown(_ name: String) -> String {
        // Nearly every name is short and in ASCII, which is fast to check.
        if name.utf8.count <= maximumNameCharacters, name.utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) {
            return name
        }
        let scalars = name.unicodeScalars.prefix(maximumNameCharacters).map { scalar in
            scalar.properties.generalCategory == .control ? "?" : Character(scalar)
        }
        return String(scalars) + (name.unicodeScalars.count > maximumNameCharacters ? "…" : "")
    }

    static func pointer(_ parent: String, _ name: String) -> String {
        var escaped = ""
        for character in shown(name) {
            switch character {
            case "~": escaped += "~0"
            case "/": escaped += "~1"
            default: escaped.append(character)
            }
        }
        return "\(parent)/\(escaped)"
    }
}

extension PushIssue: CustomStringConvertible {
    public var description: String { "\(pointer.isEmpty ? "payload" : pointer): \(detail) [\(code)]" }
}
