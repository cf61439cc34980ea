public import PushDispatch

/// Something that an app did wrong with a push.
public struct PhoneProblem: Hashable, Sendable, CustomStringConvertible {
    /// Open, because later versions may add codes.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String

        public init(_ rawValue: String) { self.rawValue = rawValue }

        public var description: String { rawValue }
    }

    public let code: Code
    public let entryPoint: EntryPoint
    public let detail: String

    init(_ code: Code, _ entryPoint: EntryPoint, _ detail: String) {
        self.code = code
        self.entryPoint = entryPoint
        self.detail = detail
    }

    public var description: String { "\(entryPoint.callback): \(detail) [\(code)]" }
}

extension PhoneProblem.Code {
    /// The completion handler was not called in the time that the app had.
    public static let neverAnswered = PhoneProblem.Code("never-answered")
    /// It was called when that time was over.
    public static let answeredLate = PhoneProblem.Code("answered-late")
    public static let answeredTwice = PhoneProblem.Code("answered-twice")
    /// `newData` without a change, or a change without `newData`.
    public static let untruthful = PhoneProblem.Code("untruthful")
    /// The app does not implement the callback that the system calls.
    public static let noCallback = PhoneProblem.Code("no-callback")
}

extension EntryPoint {
    /// Short form of the system's name of the callback.
    var callback: String {
        switch self {
        case .background: "didReceiveRemoteNotification"
        case .foreground: "willPresent"
        case .tap: "didReceive response"
        }
    }
}
