public import PushDispatch

/// Something that an app did wrong with a push, as the system would notice or pay back.
public struct PhoneProblem: Hashable, Sendable, CustomStringConvertible {
    /// Open, because there may be more.
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
    /// The completion handler was not called while the app was allowed to run.
    public static let neverAnswered = PhoneProblem.Code("never-answered")
    /// It was called, after the system had taken the time away.
    public static let answeredLate = PhoneProblem.Code("answered-late")
    public static let answeredTwice = PhoneProblem.Code("answered-twice")
    /// `newData` with nothing new, or something new without `newData`.
    public static let untruthful = PhoneProblem.Code("untruthful")
    /// The app does not have the callback that the system wants to call.
    public static let noCallback = PhoneProblem.Code("no-callback")
}

extension EntryPoint {
    /// The system's name of the callback, short.
    var callback: String {
        switch self {
        case .background: "didReceiveRemoteNotification"
        case .foreground: "willPresent"
        case .tap: "didReceive response"
        }
    }
}
