import PushDispatch
import ServiceHost

/// The decision service as a server: the vendor's paths, the control API and the inspector page on one port.
package final class ServiceServer: Sendable {
    /// A request that was answered, or deliberately not.
    package struct Entry: Hashable, Sendable {
        package let method: String
        package let path: String
        package let status: Int
        package let delivery: ServiceWorld.Delivery
    }

    package struct Options: Sendable {
        package var host = "127.0.0.1"
        /// 0 picks a free port.
        package var port = 0
        /// The bearer token of the control API; required if the host is not loopback.
        package var controlToken: String?
        /// Keeps the state. The world has to be one that was opened from it.
        package var store: (any ServiceStore)?
        /// Called for every request before its answer is sent.
        package var onRequest: @Sendable (Entry) -> Void = { _ in }

        package init() {}
    }

    private let listener: ServicePort
    private let state: ServiceState

    private init(_ listener: ServicePort, _ state: ServiceState) {
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
    package static func start(_ world: ServiceWorld, _ options: Options) async throws -> ServiceServer {
        var listening = ServicePort.Options(maximumBodyBytes: ServiceLimits.body)
        listening.host = options.host
        listening.port = options.port
        listening.controlToken = options.controlToken
        let state = try ServiceState(world, options.store)
        let responder = ServiceResponder(
            state: state,
            controlGuard: ControlGuard(
                host: options.host, token: options.controlToken, pages: .own, service: "the service"),
            needsToken: options.controlToken != nil, onRequest: options.onRequest)
        let listener = try await ServicePort.open(listening, name: "personalization") { try await responder.answer($0) }
        return ServiceServer(listener, state)
    }

    package func stop() async {
        state.endStreams()
        await listener.stop()
    }

    /// Waits until the server ends. Without a call of `stop` the end is a failure.
    package func wait() async throws { try await listener.wait() }

    /// Reads the current world.
    package func read<Result>(_ body: (ServiceWorld) throws -> Result) rethrows -> Result { try state.read(body) }
}

/// Passes requests to the world and makes of its answers what the port does.
struct ServiceResponder: Sendable {
    let state: ServiceState
    let controlGuard: ControlGuard
    let needsToken: Bool
    let onRequest: @Sendable (ServiceServer.Entry) -> Void

    func answer(_ call: ServiceRequest) async throws -> ServiceDelivery {
        // The vendor's paths are open to the pages of every site, because sites use them.
        if VendorRoute(call.path) == nil {
            let isPage = call.method == "GET" && call.path == "/"
            if let problem = controlGuard.problem(with: call, isPage: isPage) {
                return .response(report(call, ServiceWorld.Outcome(problem.response)).response)
            }
            if isPage { return .response(report(call, ServiceWorld.Outcome(InspectorPage.response)).response) }
            if call.method == "GET", call.path == "/openapi.json" {
                let document = ServiceOpenAPI.document(needsToken: needsToken)
                return .response(report(call, ServiceWorld.Outcome(.json(document.compactBytes))).response)
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

    private func wantsStream(_ call: ServiceRequest) -> Bool {
        (call.headers["accept"] ?? "").split(separator: ",").contains { part in
            part.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased() == "text/event-stream"
        }
    }

    private func subscribe(_ call: ServiceRequest) -> ServiceDelivery {
        if let stream = state.subscribe() {
            _ = report(call, ServiceWorld.Outcome(ServiceResponse(status: 200)))
            return .stream(stream)
        }
        let problem = ControlProblem(
            503, "\(ServiceLimits.subscribers) clients already follow the events; close one and try again")
        return .response(report(call, ServiceWorld.Outcome(problem.response)).response)
    }

    private func report(_ call: ServiceRequest, _ outcome: ServiceWorld.Outcome) -> ServiceWorld.Outcome {
        onRequest(
            ServiceServer.Entry(
                method: call.method, path: call.path, status: outcome.response.status, delivery: outcome.delivery))
        return outcome
    }
}
