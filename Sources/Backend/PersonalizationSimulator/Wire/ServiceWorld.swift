import APNSModel

/// The service with its clock, the vendor's paths and the control API: everything that a server needs except I/O.
package struct ServiceWorld: Sendable {
    package internal(set) var service: PersonalizationService
    package internal(set) var clock: ServiceClock
    private let start: (service: PersonalizationService, clock: ServiceClock)

    package init(_ configuration: ServiceConfiguration, clock: ServiceClock = ServiceClock()) {
        service = PersonalizationService(configuration)
        self.clock = clock
        start = (service, clock)
    }

    /// The result of a request.
    package struct Outcome: Hashable, Sendable {
        package internal(set) var response: ServiceResponse
        /// Milliseconds to wait before the answer.
        package internal(set) var delay: Int64 = 0
        package internal(set) var delivery = Delivery.answered

        init(_ response: ServiceResponse) { self.response = response }
    }

    package enum Delivery: Hashable, Sendable {
        case answered
        /// The connection closes without the answer.
        case lost
        /// There is never an answer.
        case silent
    }

    /// - Parameter real: The machine's time in milliseconds since 1970.
    package mutating func answer(_ request: ServiceRequest, real: Int64) -> Outcome {
        let route = VendorRoute(request.path)
        guard let route else { return Outcome(control(request, real: real)) }
        let effect = service.faults.hit(route.isDecision ? .decisions : .events)
        let now = clock.now(real: real)
        switch effect {
        case .status(let status):
            let error = WireError(
                status, status == 503 ? "the set-up is not loaded; ask again in 30 seconds" : "a fault rule says so")
            return Outcome(refusal(error, route))
        case .silence:
            var outcome = Outcome(.noContent)
            outcome.delivery = .silent
            return outcome
        case .delay(let milliseconds):
            var outcome = Outcome(respond(to: request, route, at: now))
            outcome.delay = milliseconds
            return outcome
        case .loseAnswer:
            var outcome = Outcome(respond(to: request, route, at: now))
            outcome.delivery = .lost
            return outcome
        case nil: return Outcome(respond(to: request, route, at: now))
        }
    }

    private mutating func respond(to request: ServiceRequest, _ route: VendorRoute, at now: Int64) -> ServiceResponse {
        do throws(WireError) {
            guard request.method == "POST" else {
                var error = WireError(405, "\(ShownText.cut(request.method, to: 16)) is not allowed; POST is")
                error.headers["allow"] = "POST"
                throw error
            }
            if route.needsToken {
                let access = ControlAccess(host: "", token: service.configuration.accessToken)
                guard access.accepts(authorization: request.headers["authorization"]) else {
                    var error = WireError(401, "send the header Authorization: Bearer with the access token")
                    error.headers["www-authenticate"] = "Bearer"
                    throw error
                }
            }
            switch route {
            case .decisions(let isSignedOn): return try decide(request, isSignedOn: isSignedOn, at: now)
            case .webEvents(let source):
                try check(source)
                try expect("application/x-www-form-urlencoded", of: request)
                service.receive(try EventWire.form(request.body), at: now)
            case .serverEvents(let source):
                try check(source)
                try expect("application/json", of: request)
                service.receive(try EventWire.batch(request.body), at: now)
            }
            return .noContent
        } catch {
            return refusal(error, route)
        }
    }

    private mutating func decide(
        _ request: ServiceRequest, isSignedOn: Bool, at now: Int64
    ) throws(WireError) -> ServiceResponse {
        try expect("application/json", of: request)
        let asked = try DecisionWire.request(request.body)
        switch service.decide(asked, isSignedOn: isSignedOn, at: now) {
        case .reply(let reply): return DecisionWire.response(reply, form: service.configuration.replyForm)
        case .refused(let status, let diagnostics):
            return DecisionWire.refusal(diagnostics, status: status, requestID: service.makeID())
        }
    }

    private mutating func refusal(_ error: WireError, _ route: VendorRoute) -> ServiceResponse {
        route.isDecision ? error.decisionResponse(requestID: service.makeID()) : error.eventResponse
    }

    private func expect(_ type: String, of request: ServiceRequest) throws(WireError) {
        guard request.mediaType == type else { throw .bad("the Content-Type must be \(type)") }
    }

    private func check(_ source: String) throws(WireError) {
        guard UUIDText.isValid(source) else {
            throw .bad("the path names the app source id \(ShownText.quoted(source)); a UUID is wanted")
        }
        guard source.lowercased() == service.configuration.appSourceID.lowercased() else {
            throw .bad("there is no app with the source id \(source)")
        }
    }

    /// Everything but the port is as at the start, the clock too.
    mutating func reset() { (service, clock) = start }
}

/// One of the vendor's paths.
enum VendorRoute: Hashable {
    case decisions(isSignedOn: Bool)
    case webEvents(source: String)
    case serverEvents(source: String)

    init?(_ path: String) {
        switch path {
        case "/personalization/decisions", "/personalization/v1/decisions": self = .decisions(isSignedOn: false)
        case "/personalization/authenticated/decisions", "/personalization/v1/authenticated/decisions":
            self = .decisions(isSignedOn: true)
        default:
            let parts = path.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 4, parts[0].isEmpty, parts[2] == "events" else { return nil }
            switch parts[1] {
            case "web": self = .webEvents(source: String(parts[3]))
            case "server": self = .serverEvents(source: String(parts[3]))
            default: return nil
            }
        }
    }

    var isDecision: Bool {
        if case .decisions = self { true } else { false }
    }

    var needsToken: Bool {
        switch self {
        case .decisions(let isSignedOn): isSignedOn
        case .webEvents: false
        case .serverEvents: true
        }
    }
}
