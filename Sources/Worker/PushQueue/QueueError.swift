/// Why an engine could not do what it was asked.
package struct QueueError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened. A struct, so that a new code is not a breaking change.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }

        /// The URL of the queue cannot be used.
        package static let badAddress = Code(rawValue: "bad-address")
        /// A file that the URL of the queue names cannot be used.
        package static let unusableFile = Code(rawValue: "unusable-file")
        /// No connection could be opened.
        package static let unreachable = Code(rawValue: "unreachable")
        /// The connection was lost before the answer came.
        package static let connectionLost = Code(rawValue: "connection-lost")
        /// No answer in time.
        package static let timedOut = Code(rawValue: "timed-out")
        /// The server cannot serve yet, or only reads: it loads its data, it is a replica, it starts or stops.
        package static let notReady = Code(rawValue: "not-ready")
        /// User or password are wrong or missing.
        package static let notAuthenticated = Code(rawValue: "not-authenticated")
        /// The user lacks a right.
        package static let notAllowed = Code(rawValue: "not-allowed")
        /// The server is too old, in cluster mode, or another kind of server.
        package static let unsupportedServer = Code(rawValue: "unsupported-server")
        /// Something that the queue needs is missing: the table, or a group that a stranger destroyed.
        package static let missing = Code(rawValue: "missing")
        /// Another program's data stands where the queue's belongs.
        package static let foreignData = Code(rawValue: "foreign-data")
        /// The engine has no memory or disk left.
        package static let full = Code(rawValue: "full")
        /// `EnqueueOptions.maximumBacklog` is reached. Nothing was taken.
        package static let backlogFull = Code(rawValue: "backlog-full")
        /// An argument or a reply is larger than its limit.
        package static let tooLarge = Code(rawValue: "too-large")
        /// The answer of the server makes no sense.
        package static let invalidAnswer = Code(rawValue: "invalid-answer")
        /// The task was cancelled.
        package static let cancelled = Code(rawValue: "cancelled")
        /// `close` was called.
        package static let closed = Code(rawValue: "closed")
    }

    package var code: Code
    /// What was attempted, how it failed and what to do, in a sentence without secrets.
    package var detail: String
    /// Whether the same call may succeed after a wait, without a change of configuration or server.
    package var isTemporary: Bool
    /// Whether the engine may have carried out the call although it failed, because the answer was lost. Then the table
    /// of `JobQueue` says what repeating the call means.
    package var mayBeDone: Bool

    package init(_ code: Code, _ detail: String, isTemporary: Bool, mayBeDone: Bool = false) {
        self.code = code
        self.detail = detail
        self.isTemporary = isTemporary
        self.mayBeDone = mayBeDone
    }

    package var description: String { "\(code.rawValue): \(detail)" }
}
