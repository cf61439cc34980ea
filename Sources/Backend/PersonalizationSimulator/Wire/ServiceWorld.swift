import APNSModel
package import ServiceHost

/// The service with its clock, the vendor's paths and the control API: everything that a server needs except I/O.
package struct ServiceWorld: Sendable {
    package internal(set) var service: PersonalizationService
    package internal(set) var clock: ServiceClock
    /// How many requests were answered since the process started, by what they asked for and the status.
    package private(set) var answers: [AnswerKind: Int] = [:]
    /// How many clients follow the events; the server counts them.
    package var streams = 0
    /// Whether everything has changed, because of a reset.
    var isReplaced = false
    private var isTracking = false
    private let start: (service: PersonalizationService, clock: ServiceClock)

    package init(_ configuration: ServiceConfiguration, clock: ServiceClock = ServiceClock()) {
        service = PersonalizationService(configuration)
        self.clock = clock
        start = (service, clock)
    }

    package struct AnswerKind: Hashable, Sendable {
        /// `decisions`, `events` or `control`.
        package let path: String
        package let status: Int
    }

    package typealias Outcome = ServiceOutcome
    package typealias Delivery = ServiceOutcome.Delivery

    /// - Parameter real: The machine's time in milliseconds since 1970.
    package mutating func answer(_ request: ServiceRequest, real: Int64) -> Outcome {
        let route = VendorRoute(request.path)
        let outcome =
            route.map { answer(request, $0, real: real).openToPages } ?? Outcome(control(request, real: real))
        let kind = AnswerKind(path: route?.path.rawValue ?? "control", status: outcome.response.status)
        answers[kind, default: 0] += 1
        return outcome
    }

    /// Whether a request may change anything that is worth storing.
    package func mayChange(_ request: ServiceRequest) -> Bool {
        if VendorRoute(request.path) != nil { return request.method != "OPTIONS" }
        return request.method != "GET" && request.method != "HEAD"
    }

    private mutating func answer(_ request: ServiceRequest, _ route: VendorRoute, real: Int64) -> Outcome {
        // The question of a browser whether a page may send a request is not yet that request, so no fault applies.
        guard request.method != "OPTIONS" else { return Outcome(ServiceWorld.preflight) }
        let effect = service.faults.hit(route.path)
        let now = clock.now(real: real)
        switch effect {
        case .status(let status, let pause): return Outcome(refusal(fault(status, pause, route), route))
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

    private static let preflight = ServiceResponse(
        status: 204,
        headers: [
            "allow": "OPTIONS, POST", "access-control-allow-methods": "POST",
            "access-control-allow-headers": "authorization, content-type", "access-control-max-age": "600",
        ])

    private func fault(_ status: Int, _ pause: Int64?, _ route: VendorRoute) -> WireError {
        guard status == 503, route.path == .decisions else {
            var error = WireError(status, "a fault rule says so")
            if let pause { error.ask(toWait: pause) }
            return error
        }
        let pause = pause ?? ServiceLimits.setUpPause
        let seconds = WireError.seconds(pause)
        var error = WireError(
            status, "the set-up is not loaded; ask again in \(seconds) second\(seconds == 1 ? "" : "s")")
        error.ask(toWait: pause)
        return error
    }

    private mutating func respond(to request: ServiceRequest, _ route: VendorRoute, at now: Int64) -> ServiceResponse {
        do throws(WireError) {
            guard request.method == "POST" else {
                var error = WireError(405, "\(ShownText.cut(request.method, to: 16)) is not allowed; POST is")
                error.headers["allow"] = "OPTIONS, POST"
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
                let space = try dataSpace(of: source)
                try expect("application/x-www-form-urlencoded", of: request)
                service.receive(try EventWire.form(request.body), for: space, at: now)
            case .serverEvents(let source):
                let space = try dataSpace(of: source)
                try expect("application/json", of: request)
                service.receive(try EventWire.batch(request.body), for: space, at: now)
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
        case .refused(let status, let diagnostics, let pause):
            var response = DecisionWire.refusal(diagnostics, status: status, requestID: service.makeID())
            if let pause {
                var error = WireError(status, "")
                error.ask(toWait: pause)
                response.headers.merge(error.headers) { $1 }
            }
            return response
        }
    }

    private mutating func refusal(_ error: WireError, _ route: VendorRoute) -> ServiceResponse {
        switch route.path {
        case .decisions: error.decisionResponse(requestID: service.makeID())
        case .events: error.eventResponse
        }
    }

    private func expect(_ type: String, of request: ServiceRequest) throws(WireError) {
        guard request.mediaType == type else { throw .bad("the Content-Type must be \(type)") }
    }

    /// - Returns: Nil for the app source that feeds every data space.
    private func dataSpace(of source: String) throws(WireError) -> String? {
        guard UUIDText.isValid(source) else {
            throw .bad("the path names the app source id \(ShownText.quoted(source)); a UUID is wanted")
        }
        let id = source.lowercased()
        if id == service.configuration.appSourceID.lowercased() { return nil }
        guard let known = service.configuration.appSources.first(where: { $0.id.lowercased() == id }) else {
            throw .bad("there is no app with the source id \(source)")
        }
        return known.dataSpace
    }

    // MARK: Changes

    /// The answer to a request whose changes cannot be stored, so that it did not happen.
    package static func notStored(_ request: ServiceRequest, _ why: String) -> Outcome {
        let detail = "the request did not happen, because it cannot be stored: \(why)"
        guard let route = VendorRoute(request.path) else { return Outcome(ControlProblem(507, detail).response) }
        let error = WireError(500, detail)
        return switch route.path {
        // The request was not carried out, so it has no id.
        case .decisions: Outcome(error.decisionResponse(requestID: "00000000-0000-0000-0000-000000000000")).openToPages
        case .events: Outcome(error.eventResponse).openToPages
        }
    }

    /// Everything but the port is as at the start, the clock too.
    mutating func reset() {
        (service, clock) = start
        guard isTracking else { return }
        service.track(.all)
        isReplaced = true
    }

    /// Whoever switches it on has to take the changes after each request.
    package mutating func track(_ mode: ChangeTracking) {
        isTracking = mode != .off
        isReplaced = mode == .all
        service.track(mode)
    }

    /// What has changed since the last call.
    package mutating func takeChanges() -> ServiceChanges {
        var changes = service.takeChanges()
        changes.isReplaced = isReplaced
        isReplaced = false
        return changes
    }

    /// Puts a stored service and its clock in place of the new one. A reset still leads back to the new one.
    mutating func restore(_ service: PersonalizationService, _ clock: ServiceClock) {
        self.service = service
        self.clock = clock
    }
}

extension ServiceOutcome {
    /// The same for pages of every site: sites use the vendor's paths from their pages (Fetch standard, 3.3).
    var openToPages: ServiceOutcome {
        var outcome = self
        outcome.response.headers["access-control-allow-origin"] = "*"
        outcome.response.headers["access-control-expose-headers"] = "retry-after"
        return outcome
    }
}
