/// Why something cannot be done on a phone, or a test's question has no answer. The message says what to do.
public struct PhoneError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Open, because there may be more.
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
    /// No payload that APNs would pass on.
    public static let badPayload = PhoneError.Code("bad-payload")
    /// The file is not there, or cannot be read.
    public static let unreadableFile = PhoneError.Code("unreadable-file")
    /// The app was asked for a result, and its fetch callback did not run or did not answer.
    public static let noAnswer = PhoneError.Code("no-answer")
    /// There is no notification to tap.
    public static let nothingShown = PhoneError.Code("nothing-shown")
    /// An app does not come from one state into the other.
    public static let impossibleMove = PhoneError.Code("impossible-move")
    /// The app did something wrong; the text is what `PhoneProblem` says.
    public static let problems = PhoneError.Code("problems")
}
