internal import PostgresClient
internal import PushQueue

extension QueueError {
    /// - Parameter attempt: What was attempted, such as `reserving jobs`; nil for an address that cannot be used.
    init(_ error: PostgresError, _ attempt: String?) {
        self.init(
            QueueError.code(of: error.code), attempt.map { "\($0): \(error.detail)" } ?? error.detail,
            isTemporary: QueueError.temporary.contains(error.code), mayBeDone: error.mayHaveRun)
    }

    private static let temporary: Set<PostgresError.Code> = [
        .connectFailed, .connectionLost, .timedOut, .tooManyRequests, .full, .readOnly, .starting, .stopping,
        .tooManyClients, .locked, .conflict,
    ]

    private static func code(of code: PostgresError.Code) -> Code {
        switch code {
        case .badURL: .badAddress
        case .connectFailed, .tlsFailed, .tooManyClients, .noDatabase: .unreachable
        case .connectionLost: .connectionLost
        case .timedOut: .timedOut
        case .oldServer: .unsupportedServer
        case .requestTooLarge, .resultTooLarge: .tooLarge
        case .closed: .closed
        case .readOnly, .starting, .stopping, .locked, .conflict, .tooManyRequests: .notReady
        case .wrongPassword: .notAuthenticated
        case .noPermission: .notAllowed
        case .full: .full
        case .noTable: .missing
        case .otherTable: .foreignData
        default: .invalidAnswer
        }
    }
}
