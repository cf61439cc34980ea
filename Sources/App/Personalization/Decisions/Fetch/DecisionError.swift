/// Why there is no decision from the service (docs/reference/personalization.md 3).
///
/// Nothing in it is a value of the request or of the reply.
public struct DecisionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not an enum, because later versions may have more codes.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String

        public init(_ rawValue: String) { self.rawValue = rawValue }

        public var description: String { rawValue }
    }

    public var code: Code
    /// What is wrong and what to do.
    public var detail: String
    /// The status of the service's answer; nil without an answer.
    public var status: Int?
    /// For how long the service is not asked again, in milliseconds.
    public var retryAfterMilliseconds: Int64?
    /// What the service says about the refused request.
    public var diagnostics: [DecisionDiagnostic] = []

    public init(_ code: Code, status: Int? = nil, _ detail: String, retryAfterMilliseconds: Int64? = nil) {
        self.code = code
        self.status = status
        self.detail = detail
        self.retryAfterMilliseconds = retryAfterMilliseconds
    }

    public var description: String {
        let codes =
            diagnostics.isEmpty ? "" : "; diagnostics \(diagnostics.map { String($0.code) }.joined(separator: ", "))"
        return "\(code)\(status.map { " (status \($0))" } ?? ""): \(detail)\(codes)"
    }
}

extension DecisionError.Code {
    public static let unknown = DecisionError.Code("unknown")
    /// The client does not know yet who uses the app and what they have answered, or cannot read or write it.
    public static let notInitialized = DecisionError.Code("notInitialized")
    /// The person has not opted in. A later opt-in does not repeat the fetch.
    public static let consent = DecisionError.Code("consent")
    /// The request cannot be sent, or the service refuses it.
    public static let requestInvalid = DecisionError.Code("requestInvalid")
    /// No connection, or the service cannot answer now.
    public static let network = DecisionError.Code("network")
    public static let responseInvalid = DecisionError.Code("responseInvalid")
    public static let timeout = DecisionError.Code("timeout")
    /// The task that waited was cancelled.
    public static let cancelled = DecisionError.Code("cancelled")
    /// A person logged in or out before the answer came, so it is for another person.
    public static let userChanged = DecisionError.Code("userChanged")
}

extension DecisionError {
    static func invalid(_ detail: String) -> DecisionError { DecisionError(.requestInvalid, detail) }

    static let notInitialized = DecisionError(
        .notInitialized, "the client does not know who uses the app; set identity and consent before the first fetch")
    static let consent = DecisionError(
        .consent, "the person has not opted in; fetch again after setting the consent to opted in")
    static let timeout = DecisionError(
        .timeout, "no answer came in time; a late one refreshes the cache, so a later fetch can have it")
    static let cancelled = DecisionError(.cancelled, "the task that waited for the decisions was cancelled")
    static let userChanged = DecisionError(
        .userChanged, "somebody logged in or out before the answer came; fetch again for the current user")
    static let formerPerson = DecisionError(
        .network,
        "the log-out has not reached the service, which would answer for the person before; fetch again once events are sent"
    )
    static func formerPerson(because error: PersonalizationError) -> DecisionError {
        DecisionError(
            .notInitialized,
            "the log-out cannot be reported, so the service would answer for the person before: \(error)")
    }

    static let offline = DecisionError(
        .network, "the device is offline, so the service was not asked; fetch again once it is online")
    static let busy = DecisionError(
        .network, "too many decision requests are in progress; wait for some of them and fetch again")
}
