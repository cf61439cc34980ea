internal import CPostgres
internal import Dispatch

/// Connects and logs in, step by step as the socket becomes ready.
///
/// `@unchecked Sendable` because it is used only on its queue.
final class PostgresHandshake: @unchecked Sendable {
    private let configuration: PostgresConfiguration
    private let queue: DispatchQueue
    private var handle: PostgresHandle?
    private var watch: SocketWatch?
    private var completion: ((Result<Void, PostgresError>) -> Void)?

    init(_ configuration: PostgresConfiguration, queue: DispatchQueue) {
        self.configuration = configuration
        self.queue = queue
    }

    func start(_ completion: @escaping (Result<Void, PostgresError>) -> Void) {
        self.completion = completion
        // The system resolves the host name here, which blocks.
        DispatchQueue.global().async {
            let started = Started(self.configuration)
            self.queue.async {
                self.handle = started.handle.take()
                self.watchSocket(.writable)
            }
        }
    }

    /// The connection of a handshake that has succeeded.
    func takeHandle() -> PostgresHandle? { handle.take() }

    /// Gives up, unless it is done.
    func end(_ error: PostgresError) { finish(.failure(error)) }

    private func watchSocket(_ event: SocketWatch.Event) {
        guard completion != nil else { return handle = nil }
        guard let raw = handle?.raw else {
            return finish(.failure(PostgresError(.connectFailed, "no memory for a connection")))
        }
        guard PQstatus(raw) != CONNECTION_BAD else { return fail() }
        watch = SocketWatch(PQsocket(raw), event, on: queue) { [weak self] in self?.poll() }
        if watch == nil {
            finish(.failure(PostgresError(.connectFailed, "the process has no file descriptor left")))
        }
    }

    private func poll() {
        watch = nil
        guard completion != nil, let raw = handle?.raw else { return }
        switch PQconnectPoll(raw) {
        case PGRES_POLLING_READING: watchSocket(.readable)
        case PGRES_POLLING_WRITING: watchSocket(.writable)
        case PGRES_POLLING_OK: finish(.success(()))
        default: fail()
        }
    }

    private func fail() {
        let message = handle?.message ?? ""
        finish(.failure(PostgresError(connecting: message)))
    }

    private func finish(_ result: Result<Void, PostgresError>) {
        guard let completion else { return }
        self.completion = nil
        watch = nil
        if case .failure = result { handle = nil }
        completion(result)
    }
}

/// A handle on its way from the thread that made it to the queue. `@unchecked Sendable` because the second uses it only after
/// the first has made it.
private final class Started: @unchecked Sendable {
    var handle: PostgresHandle?

    init(_ configuration: PostgresConfiguration) { handle = PostgresHandle(connecting: configuration.parameters) }
}
