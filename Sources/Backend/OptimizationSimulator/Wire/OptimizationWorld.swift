import APNSModel
import PushDispatch
package import ServiceHost

/// The services with their clock, the vendor's paths and the control API: everything that a server needs except I/O.
package struct OptimizationWorld: Sendable {
    package internal(set) var service: OptimizationService
    package internal(set) var clock: ServiceClock
    /// How many requests were answered since the process started, by what they asked for and the status.
    package private(set) var answers: [AnswerKind: Int] = [:]
    package var streams = 0
    /// Whether everything has changed, because of a reset.
    private var isReplaced = false
    private var isTracking = false
    private let start: (service: OptimizationService, clock: ServiceClock)

    package init(_ configuration: OptimizationConfiguration, clock: ServiceClock = ServiceClock()) {
        service = OptimizationService(configuration)
        self.clock = clock
        start = (service, clock)
    }

    package struct AnswerKind: Hashable, Sendable {
        /// `profiles`, `events`, `analytics`, `entries` or `control`.
        package let path: String
        package let status: Int
    }

    var configuration: OptimizationConfiguration { service.configuration }

    package mutating func answer(_ request: ServiceRequest, real: Int64) -> ServiceOutcome {
        let route = OptimizationRoute(request.path)
        let outcome = route.map { answer(request, $0, real: real) } ?? ServiceOutcome(control(request, real: real))
        let kind = AnswerKind(path: route?.path.rawValue ?? "control", status: outcome.response.status)
        answers[kind, default: 0] += 1
        return outcome
    }

    private mutating func answer(_ request: ServiceRequest, _ route: OptimizationRoute, real: Int64) -> ServiceOutcome {
        let now = clock.now(real: real)
        switch service.faults.hit(route.path) {
        case .status(let status, let pause): return ServiceOutcome(fault(status, pause, route))
        case .silence:
            var outcome = ServiceOutcome(.noContent)
            outcome.delivery = .silent
            return outcome
        case .delay(let milliseconds):
            var outcome = ServiceOutcome(respond(to: request, route, at: now))
            outcome.delay = milliseconds
            return outcome
        case .loseAnswer:
            var outcome = ServiceOutcome(respond(to: request, route, at: now))
            outcome.delivery = .lost
            return outcome
        case nil: return ServiceOutcome(respond(to: request, route, at: now))
        }
    }

    private mutating func fault(_ status: Int, _ pause: Int64?, _ route: OptimizationRoute) -> ServiceResponse {
        guard route.path != .entries else {
            return DeliveryError(
                status, DeliveryError.id(of: status), "a fault rule says so", pause: pause.map { ($0 + 999) / 1_000 }
            ).response(requestID: service.makeID())
        }
        var error = ProfileError(status, .init(status: status), "a fault rule says so")
        if let pause { error.ask(toWait: pause) }
        return error.response
    }

    private mutating func respond(
        to request: ServiceRequest, _ route: OptimizationRoute, at now: Int64
    ) -> ServiceResponse {
        guard route.methods.contains(request.method) else {
            let methods = route.methods.joined(separator: ", ")
            var response = OptimizationWorld.refusal(
                405, "\(ShownText.cut(request.method, to: 16)) is not allowed; \(methods) is", route)
            response.headers["allow"] = methods
            return response
        }
        switch route {
        case .entries(let space, let environment, let entry):
            do throws(DeliveryError) {
                return try deliver(request, space, environment, entry, at: now)
            } catch {
                return error.response(requestID: service.makeID())
            }
        case .organization(let client, let environment, let target):
            do throws(ProfileError) {
                // What is not answered is not refused either.
                if target != .importing { try check(client, environment, target) }
                return try answer(request, target, at: now)
            } catch {
                return error.response
            }
        }
    }

    /// An error in the form of a path's service.
    private static func refusal(_ status: Int, _ message: String, _ route: OptimizationRoute) -> ServiceResponse {
        guard route.path == .entries else {
            return ProfileError(status, .init(status: status == 405 ? 400 : status), message).response
        }
        return DeliveryError(status, DeliveryError.id(of: status), message)
            .response(requestID: "00000000-0000-0000-0000-000000000000")
    }

    // MARK: Profiles and analytics

    private func check(_ client: String, _ environment: String, _ target: OptimizationRoute.Target) throws(ProfileError)
    {
        guard client == configuration.clientID else {
            throw ProfileError(404, .configNotFound, "there is no organization \(ShownText.quoted(client))")
        }
        guard environment != configuration.environment else { return }
        if case .profile(let id) = target, service.profiles.find(id) != nil {
            throw ProfileError(
                404, .namespaceMismatch,
                "the profile \(ShownText.quoted(id)) belongs to the environment \(configuration.environment)")
        }
        throw ProfileError(
            404, .configNotFound,
            "there is no environment \(ShownText.quoted(environment)); there is \(configuration.environment)")
    }

    private mutating func answer(
        _ request: ServiceRequest, _ target: OptimizationRoute.Target, at now: Int64
    ) throws(ProfileError) -> ServiceResponse {
        do throws(WireError) {
            let wire = ProfileWire(isStrict: configuration.isStrict)
            switch target {
            case .create: return try upsert(request, nil, wire, at: now)
            case .profile(let id) where request.method == "POST": return try upsert(request, id, wire, at: now)
            case .profile(let id) where request.method == "DELETE":
                guard service.remove(id) else { throw missing(id) }
                return ProfileReply.response([:])
            case .profile(let id):
                try pass(id, at: now)
                guard let profile = service.profiles.find(id) else { throw missing(id) }
                return ProfileReply.response(ProfileReply.data(service.reply(for: profile)))
            case .batch:
                try expect(["application/json"], of: request)
                let body = try wire.batch(request.body)
                return ProfileReply.response(["profiles": .array(upsert(body, request, at: now).map(ProfileReply.json))]
                )
            case .importing:
                let (body, refused) = wire.imported(request.body)
                service.importRefused += refused
                _ = upsert(body, request, at: now)
                return ProfileReply.response([:])
            case .analytics:
                try expect(["application/json", "text/plain"], of: request)
                for (profile, events) in try wire.analytics(request.body) {
                    service.receive(events, of: profile, at: now)
                }
                return .noContent
            }
        } catch {
            var refused = ProfileError(error.status, .init(status: error.status), error.description)
            refused.headers = error.headers
            throw refused
        }
    }

    private mutating func upsert(
        _ request: ServiceRequest, _ id: String?, _ wire: ProfileWire, at now: Int64
    ) throws(WireError) -> ServiceResponse {
        try expect(["text/plain", "application/json"], of: request)
        if let id {
            guard !id.isEmpty, id.utf8.count <= WireLimits.name else {
                throw .bad("the path names a profile id of 0 or more than \(WireLimits.name) bytes")
            }
            try pass(id, at: now)
        }
        let body = try wire.body(request.body)
        let type = request.parameter("type")
        guard type == nil || type == "preflight" else {
            throw .bad("type is \(ShownText.quoted(type ?? "")); preflight is the only one")
        }
        var upsert = OptimizationService.Upsert(id, body.events)
        upsert.features = body.features
        upsert.address = request.headers["x-force-ip"]
        upsert.isPreflight = type == "preflight"
        return ProfileReply.response(ProfileReply.data(service.upsert(upsert, at: now)))
    }

    /// The profiles of a batch, in the order in which they first occur.
    private mutating func upsert(
        _ body: ProfileWire.Body, _ request: ServiceRequest, at now: Int64
    ) -> [VisitorProfile] {
        var order: [String] = []
        var events: [String: [ProfileEvent]] = [:]
        for event in body.events {
            guard let id = event.anonymousID else { continue }
            if events[id] == nil { order.append(id) }
            events[id, default: []].append(event)
        }
        return order.map { id in
            var upsert = OptimizationService.Upsert(id, events[id] ?? [])
            upsert.features = body.features
            upsert.address = request.headers["x-force-ip"]
            return service.upsert(upsert, at: now).profile
        }
    }

    private mutating func pass(_ id: String, at now: Int64) throws(WireError) {
        guard !service.passesProfileLimit(service.profiles.resolve(id), at: now) else { return }
        var error = WireError(
            429,
            "there are more than \(configuration.limits.requestsPerProfile ?? 0) requests a minute for this profile")
        error.ask(toWait: 60_000 - now % 60_000)
        throw error
    }

    private func missing(_ id: String) -> WireError {
        WireError(404, "there is no profile \(ShownText.quoted(id)); POST makes one")
    }

    private func expect(_ types: [String], of request: ServiceRequest) throws(WireError) {
        guard let type = request.mediaType, types.contains(type) else {
            throw .bad("the Content-Type must be \(types.joined(separator: " or "))")
        }
    }

    // MARK: Delivery

    private mutating func deliver(
        _ request: ServiceRequest, _ space: String, _ environment: String, _ entry: String?, at now: Int64
    ) throws(DeliveryError) -> ServiceResponse {
        let given = request.headers["authorization"] ?? request.parameter("access_token").map { "Bearer " + $0 }
        guard ControlAccess(host: "", token: configuration.accessToken).accepts(authorization: given) else {
            throw DeliveryError(
                401, "AccessTokenInvalid", "send the header Authorization: Bearer with the access token of the space")
        }
        guard space == configuration.space, environment == configuration.environment else {
            throw DeliveryError(404, "NotFound", "there is no such space or environment")
        }
        guard service.passesEntryLimit(at: now) else {
            throw DeliveryError(
                429, "RateLimitExceeded",
                "there are more than \(configuration.limits.entriesPerSecond ?? 0) requests a second", pause: 1)
        }
        let query = try DeliveryQuery(request.query)
        let content = configuration.content
        let body: [UInt8]
        if let entry { body = try content.reply(entry: entry, query) } else { body = try content.reply(query) }
        let tag = EntityTag.text(of: body)
        guard !EntityTag.isNamed(tag, by: request.headers["if-none-match"]) else {
            return ServiceResponse(status: 304, headers: ["etag": tag])
        }
        var response = ServiceResponse.json(body)
        response.headers["content-type"] = "application/vnd.contentful.delivery.v1+json"
        response.headers["etag"] = tag
        return response
    }

    // MARK: Changes

    package static func notStored(_ request: ServiceRequest, _ why: String) -> ServiceOutcome {
        let detail = "the request did not happen, because it cannot be stored: \(why)"
        guard let route = OptimizationRoute(request.path) else {
            return ServiceOutcome(ControlProblem(507, detail).response)
        }
        return ServiceOutcome(refusal(500, detail, route))
    }

    /// Everything but the port is as at the start, the clock too.
    mutating func reset() {
        (service, clock) = start
        guard isTracking else { return }
        service.track(.all)
        isReplaced = true
    }

    package mutating func track(_ mode: ChangeTracking) {
        isTracking = mode != .off
        isReplaced = mode == .all
        service.track(mode)
    }

    package mutating func takeChanges() -> OptimizationChanges {
        var changes = service.takeChanges()
        changes.isReplaced = isReplaced
        isReplaced = false
        return changes
    }

    /// Puts a stored service and its clock in place of the new one. A reset still leads back to the new one.
    mutating func restore(_ service: OptimizationService, _ clock: ServiceClock) {
        self.service = service
        self.clock = clock
    }
}
