import DeviceSimulator
import GatewayConfiguration
import PayloadJSON

/// `apns gateway --wait`: asks a control port again and again whether its gateway is ready.
struct GatewayWait {
    enum Answer: Hashable, Sendable {
        case ready
        /// What is missing, as the gateway says it.
        case notReady(String)
        /// Nothing answers, or something else does.
        case none(String)

        fileprivate var reason: String? {
            switch self {
            case .ready: nil
            case .notReady(let reason), .none(let reason): reason
            }
        }
    }

    static let defaultTimeout = Duration.seconds(60)
    private static let pause = Duration.milliseconds(100)
    /// How long one answer may take at most.
    private static let patience = Duration.seconds(5)

    /// - Parameters:
    ///   - timeout: Zero asks once.
    ///   - clock: Decides when the time is over.
    ///   - ask: Asks once, and is given how long the answer may take.
    /// - Returns: Nil once the gateway is ready, otherwise why it is not.
    static func wait<Time: Clock<Duration>>(
        upTo timeout: Duration, _ clock: Time, ask: (_ limit: Duration) async -> Answer
    ) async -> String? {
        let end = clock.now.advanced(by: timeout)
        var limit = timeout == .zero ? patience : min(patience, timeout)
        while let reason = await ask(limit).reason {
            guard clock.now < end, (try? await clock.sleep(for: pause)) != nil else { return reason }
            limit = min(patience, max(pause, clock.now.duration(to: end)))
        }
        return nil
    }

    /// Asks the control port of a configuration.
    ///
    /// - Parameter limit: How long the answer may take.
    static func ask(_ configuration: GatewayConfiguration, within limit: Duration) async -> Answer {
        await withTaskGroup(of: Answer?.self) { group in
            group.addTask { await answer(configuration) }
            group.addTask {
                try? await Task.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next().flatMap(\.self)
                ?? .none("port \(configuration.controlPort) has not answered in time")
        }
    }

    private static func answer(_ configuration: GatewayConfiguration) async -> Answer {
        let endpoint = ControlEndpoint(host: configuration.hostToAsk, port: configuration.controlPort)
        do {
            let response = try await ControlClient(endpoint: endpoint).call(method: "GET", "/ready")
            return answer(response.status, response.body, of: endpoint)
        } catch {
            return .none((error as? DeviceError)?.detail ?? "\(error)")
        }
    }

    /// What an answer to `GET /ready` says.
    static func answer(_ status: Int, _ body: [UInt8], of endpoint: ControlEndpoint) -> Answer {
        switch status {
        case 200 where saysReady(body): .ready
        case 200: .none("\(endpoint) does not answer as a gateway does; is it the control port of a gateway?")
        case 503: .notReady(ProblemDocument(body)?.message ?? "the gateway is not ready")
        default: .none("\(endpoint) answers \(status); is it the control port of a gateway?")
        }
    }

    private static func saysReady(_ body: [UInt8]) -> Bool {
        guard let document = try? JSONDocument(body, maximumDepth: 4), document.isObject(.root) else { return false }
        return document.member(named: "status", of: .root).flatMap { document.string(of: $0) } == "ready"
    }
}
