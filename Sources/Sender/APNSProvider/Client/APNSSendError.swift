/// Why there is no answer to a notification.
public struct APNSSendError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened. A struct, so that a new code is not a breaking change.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// The validator found an error in the notification, so it was not sent.
        public static let invalidNotification = Code(rawValue: "invalid-notification")
        /// No connection could be opened.
        public static let connectionFailed = Code(rawValue: "connection-failed")
        /// The connection was lost after the notification was written and before an answer came.
        public static let connectionLost = Code(rawValue: "connection-lost")
        /// The gateway reset the stream without an answer.
        public static let streamReset = Code(rawValue: "stream-reset")
        public static let deadlineExceeded = Code(rawValue: "deadline-exceeded")
        public static let cancelled = Code(rawValue: "cancelled")
        /// `ProviderConfiguration.maximumWaiting` calls of `send` waited already.
        public static let queueFull = Code(rawValue: "queue-full")
        /// The provider was closed before it wrote the notification, or before the answer came.
        public static let providerClosed = Code(rawValue: "provider-closed")
        /// The gateway's answer has a status that APNs never sends, and that says neither yes nor no.
        public static let invalidAnswer = Code(rawValue: "invalid-answer")
        /// The provider token could not be signed.
        public static let signingFailed = Code(rawValue: "signing-failed")
    }

    public var code: Code
    /// What was attempted and how it failed, in a sentence without secrets.
    public var detail: String
    /// Whether sending again cannot deliver the notification twice, because it was surely not processed.
    public var isSafeToRetry: Bool
    /// Whether the gateway refused the client certificate, or wants one. Then no connection with these credentials helps,
    /// although the gateway can be reached. ``code`` is that of the connection that could not be used.
    public var isCertificateRefused = false

    public init(_ code: Code, _ detail: String, isSafeToRetry: Bool) {
        self.code = code
        self.detail = detail
        self.isSafeToRetry = isSafeToRetry
    }

    public var description: String { "\(code.rawValue): \(detail)" }
}
