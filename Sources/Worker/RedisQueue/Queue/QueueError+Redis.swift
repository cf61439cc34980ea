internal import PushQueue
internal import RedisClient

extension QueueError {
    /// - Parameter attempt: What was attempted, such as `reserving jobs`; nil for an address that cannot be used.
    init(_ error: RedisError, _ attempt: String?) {
        let advice: [RedisError.Code: String] = [
            .wrongType: QueueError.adviceOnForeign,
            .unknownCommand: "sentinels, old servers and some proxies do not have it; docs/queue.md has the URL",
        ]
        let detail = advice[error.code].map { "\(error.detail); \($0)" } ?? error.detail
        self.init(
            QueueError.code(of: error.code), attempt.map { "\($0): \(detail)" } ?? detail,
            isTemporary: QueueError.temporary.contains(error.code), mayBeDone: error.mayHaveRun)
    }

    private static let adviceOnForeign =
        "rename or remove that key, or choose another prefix (?prefix= in the URL of the queue)"

    /// A key has the data of another program.
    ///
    /// - Parameters:
    ///   - found: What it has, as TYPE names it; nil where that was not asked.
    ///   - kind: What the queue has there.
    static func foreign(_ key: String, found: String? = nil, kind: String, _ attempt: String) -> QueueError {
        let holds = found.map { "a \($0)" } ?? "something else"
        return QueueError(
            .foreignData,
            "\(attempt): the key \(key) holds \(holds), and the queue needs a \(kind); \(adviceOnForeign)",
            isTemporary: false)
    }

    private static let temporary: Set<RedisError.Code> = [
        .connectFailed, .connectionLost, .timedOut, .tooManyRequests, .noMaster, .loading, .readOnly, .full, .busy,
        .notPersistent, .notReplicated, .noGroup, .tooManyClients,
    ]

    private static func code(of code: RedisError.Code) -> Code {
        switch code {
        case .badURL, .badDatabase: .badAddress
        case .unusableFile: .unusableFile
        case .connectFailed, .tlsFailed, .noMaster, .tooManyClients, .protectedMode: .unreachable
        case .connectionLost: .connectionLost
        case .timedOut: .timedOut
        case .notRedis, .clusterMode, .unknownCommand: .unsupportedServer
        case .replyTooLarge, .requestTooLarge: .tooLarge
        case .closed: .closed
        case .loading, .readOnly, .busy, .notPersistent, .notReplicated, .tooManyRequests: .notReady
        case .passwordNeeded, .wrongPassword: .notAuthenticated
        case .noPermission: .notAllowed
        case .full: .full
        case .noGroup: .missing
        case .wrongType: .foreignData
        default: .invalidAnswer
        }
    }
}
