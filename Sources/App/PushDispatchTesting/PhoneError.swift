/// An operation that a phone cannot do, or a result that a report does not have. The message says what to do.
public struct PhoneError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Open, because later versions may add codes.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String

        public init(_ rawValue: String) { self.rawValue = rawValue }

        public var description: String { rawValue }
    }

    public let code: Code
    public let detail: String

    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    public var description: String { "\(detail) [\(code)]" }
}

extension PhoneError.Code {
    /// A payload that APNs does not accept.
    public static let badPayload = PhoneError.Code("bad-payload")
    /// The file does not exist or cannot be read.
    public static let unreadableFile = PhoneError.Code("unreadable-file")
    /// The report has no result: the fetch callback did not run or did not answer.
    public static let noAnswer = PhoneError.Code("no-answer")
    /// No such notification is shown.
    public static let nothingShown = PhoneError.Code("nothing-shown")
    /// An app cannot move from its state to the other.
    public static let impossibleMove = PhoneError.Code("impossible-move")
    /// The app did something wrong; the message lists the problems.
    public static let problems = PhoneError.Code("problems")
}
