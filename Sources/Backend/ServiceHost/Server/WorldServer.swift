import PushDispatch

/// A simulated service as a server: the vendor's paths, the control API and the inspector page on one port.
package final class WorldServer<World: SimulatedWorld>: Sendable {
    package typealias Entry = WorldEntry
    package typealias Options = WorldOptions

    private let listener: ServicePort
    private let state: WorldState<World>

    private init(_ listener: ServicePort, _ state: WorldState<World>) {
        self.listener = listener
        self.state = state
    }

    package var host: String { listener.host }
    package var port: Int { listener.port }
    package var url: String { listener.url }

    /// Opens the port and serves until `stop`.
    ///
    /// - Throws: `ServicePort.StartError` if the port cannot be opened, or if the host is not loopback and there is no
    ///   control token; what the store throws if it cannot be written.
    package static func start(_ world: World, _ options: Options) async throws -> WorldServer {
        var listening = ServicePort.Options(maximumBodyBytes: WireLimits.body)
        listening.host = options.host
        listening.port = options.port
        listening.controlToken = options.controlToken
        let state = try WorldState<World>(world, options.store)
        let responder = WorldResponder<World>(
            state: state,
            controlGuard: ControlGuard(
                host: options.host, token: options.controlToken, pages: .own, service: "the service"),
            needsToken: options.controlToken != nil, onRequest: options.onRequest)
        let listener = try await ServicePort.open(listening, name: World.name) { try await responder.answer($0) }
        return WorldServer(listener, state)
    }

    package func stop() async {
        state.endStreams()
        await listener.stop()
    }

    /// Waits until the server ends. Without a call of `stop` the end is a failure.
    package func wait() async throws { try await listener.wait() }

    /// Reads the current world.
    package func read<Result>(_ body: (World) throws -> Result) rethrows -> Result { try state.read(body) }
}

/// A request that was answered, or deliberately not.
package struct WorldEntry: Hashable, Sendable {
    package let method: String
    package let path: String
    package let status: Int
    package let delivery: ServiceOutcome.Delivery
}

/// How a simulated service is served.
package struct WorldOptions: Sendable {
    package var host = "127.0.0.1"
    /// 0 picks a free port.
    package var port = 0
    /// The bearer token of the control API; required if the host is not loopback.
    package var controlToken: String?
    /// Keeps the state. The world has to be one that was opened from it.
    package var store: (any ServiceStore)?
    /// Called for every request before its answer is sent.
    package var onRequest: @Sendable (WorldEntry) -> Void = { _ in }

    package init() {}
}

/// Passes requests to the world and makes of its answers what the port does.
struct WorldResponder<World: SimulatedWorld>: Sendable {
    let state: WorldState<World>
    let controlGuard: ControlGuard
    let needsToken: Bool
    let onRequest: @Sendable (WorldEntry) -> Void

    func answer(_ call: ServiceRequest) async throws -> ServiceDelivery {
        // The vendor's paths are open to web pages, because sites use them.
        if !World.isVendorPath(call.path) {
            let isPage = call.method == "GET" && call.path == "/"
            if let problem = controlGuard.problem(with: call, isPage: isPage) {
                let isProbe = problem.status == 401 && isHealthWithoutToken(call)
                let answer = isProbe ? ServiceResponse.json([("status", "ok")]) : problem.response
                return .response(report(call, ServiceOutcome(answer)).response)
            }
            if isPage { return .response(report(call, ServiceOutcome(World.page)).response) }
            if call.method == "GET", call.path == "/openapi.json" {
                let document = World.openAPI(needsToken: needsToken)
                return .response(report(call, ServiceOutcome(.json(document.compactBytes))).response)
            }
            if call.method == "GET", call.path == "/api/events", wantsStream(call) { return subscribe(call) }
        }
        let outcome = report(call, state.answer(call))
        if outcome.delay > 0 { try await Task.sleep(for: .milliseconds(outcome.delay)) }
        return switch outcome.delivery {
        case .answered: .response(outcome.response)
        case .lost: .close
        case .silent: .silence
        }
    }

    /// That the process answers is no secret, and probes have no token. The keys of the service's paths are one.
    private func isHealthWithoutToken(_ call: ServiceRequest) -> Bool {
        call.method == "GET" && call.path == "/health" && call.headers["authorization"] == nil
    }

    private func wantsStream(_ call: ServiceRequest) -> Bool {
        (call.headers["accept"] ?? "").split(separator: ",").contains { part in
            part.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased() == "text/event-stream"
        }
    }

    private func subscribe(_ call: ServiceRequest) -> ServiceDelivery {
        if let stream = state.subscribe() {
            _ = report(call, ServiceOutcome(ServiceResponse(status: 200)))
            return .stream(stream)
        }
        let problem = ControlProblem(
            503, "\(ServiceSubscribers.maximum) clients already follow the events; close one and try again")
        return .response(report(call, ServiceOutcome(problem.response)).response)
    }

    private func report(_ call: ServiceRequest, _ outcome: ServiceOutcome) -> ServiceOutcome {
        onRequest(
            WorldEntry(
                method: call.method, path: call.path, status: outcome.response.status, delivery: outcome.delivery))
        return outcome
    }
}
