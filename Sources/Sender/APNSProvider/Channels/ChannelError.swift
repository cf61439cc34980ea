public import APNSModel

/// Why a request about channels has no result.
public struct ChannelError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened. A struct, so that a new code is not a breaking change.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// The gateway refused the request; `refusal` has the reason.
        public static let refused = Code(rawValue: "refused")
        /// The gateway surely did not process the request; `cause` says why.
        public static let unsent = Code(rawValue: "unsent")
        /// The request was written, but no answer came; `cause` says why. It may have been processed.
        public static let unknown = Code(rawValue: "unknown")
        /// The gateway accepted the request, with an answer that cannot be read.
        public static let badAnswer = Code(rawValue: "bad-answer")
    }

    public var code: Code
    /// What was attempted and how it failed, in a sentence without secrets.
    public var detail: String
    public var refusal: Refusal?
    public var cause: APNSSendError?
    /// The `apns-request-id`.
    public var requestID: String
    /// Whether the same request does no harm when it is sent again. False for a channel that may have been created: another
    /// one would be created.
    public var isSafeToRetry: Bool

    public var description: String { "\(code.rawValue): \(detail)" }
}

extension ChannelError {
    init(_ refusal: Refusal, requestID: String) {
        let reason = refusal.reason.code.isEmpty ? "without a reason" : "with \(refusal.reason.code)"
        self.init(
            code: .refused, detail: "the gateway refused the request \(reason) (\(refusal.reason.status))",
            refusal: refusal, requestID: refusal.apnsID?.text ?? requestID, isSafeToRetry: true)
    }

    /// - Parameter code: `unsent` or `unknown`.
    init(_ code: Code, _ cause: APNSSendError, requestID: String, isSafeToRetry: Bool) {
        var cause = cause
        // The text of the cause is about a notification; this request is about a channel.
        cause.detail = cause.detail
            .replacing("the notification may have been delivered", with: "the request may have been processed")
            .replacing("the notification", with: "the request")
        self.init(
            code: code, detail: cause.detail, cause: cause, requestID: requestID, isSafeToRetry: isSafeToRetry)
    }

    init(badAnswer description: String, requestID: String, isSafeToRetry: Bool) {
        self.init(
            code: .badAnswer,
            detail: "the gateway's answer \(description); check that it is APNs or a gateway simulator",
            requestID: requestID, isSafeToRetry: isSafeToRetry)
    }
}
