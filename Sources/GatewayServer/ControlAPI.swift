import APNSModel
import GatewayCore

/// The control API without HTTP: a request in, an answer out.
struct ControlAPI: Sendable {
    let state: GatewayState
    let access: ControlGuard

    func answer(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        try access.check(request)
        guard let route = ControlRoute(path: request.path) else {
            throw Problem(404, "Not found", "there is nothing at this path; GET /api lists what there is")
        }
        guard route.methods.contains(request.method) else {
            throw .methodNotAllowed(request.method, route.methods)
        }
        do {
            return try answer(route, request)
        } catch let fault as RegistrationFault {
            throw Problem(fault)
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem(500, "Internal error", "the gateway could not answer; please report this")
        }
    }

    /// Throws a `Problem` or a `RegistrationFault`.
    private func answer(_ route: ControlRoute, _ request: ControlRequest) throws -> ControlAnswer {
        switch (route, request.method) {
        case (.page(let file), _): .page(file)
        case (.index, _): .text(ControlAPI.index)
        case (.health, _): .ok(.object { $0.add("status", "ok") })
        case (.metrics, _): .text(metrics)
        case (.counts, _): counts()
        case (.validate, _): try validate(request)
        case (.notifications, "POST"): try send(request)
        case (.notifications, "DELETE"): deleteNotifications()
        case (.notifications, _): try notifications(request)
        case (.notification(let id), _): try notification(id)
        case (.events, _): .events
        case (.channels, _): try channels(request)
        case (.devices, "POST"): try registerDevice(request)
        case (.devices, _): try devices(request)
        case (.device(let token), "PATCH"): try patchDevice(token, request)
        case (.device(let token), "DELETE"): try uninstall(token, request)
        case (.device(let token), _): try device(token, request)
        case (.inbox(let token), _): try inbox(token, request)
        case (.deliveries(let token), _): try deliveries(token, request)
        case (.clock, "PUT"): try setClock(request)
        case (.clock, _): .ok(clock)
        case (.clockAdvance, _): try advanceClock(request)
        case (.apps, "POST"): try registerApp(request)
        case (.apps, _): apps()
        case (.keys, "POST"): try registerKey(request)
        case (.keys, _): keys()
        case (.faults, "POST"): try addFault(request)
        case (.faults, "DELETE"): removeFaults()
        case (.faults, _): faults()
        case (.fault(let id), "DELETE"): try removeFault(id)
        case (.fault(let id), _): try fault(id)
        case (.reset, _): reset()
        }
    }

    private func reset() -> ControlAnswer {
        state.reset()
        return .noContent
    }

    /// The environment of the query or of the gateway.
    func environment(_ parameters: [String: String]) throws(Problem) -> APNSEnvironment {
        guard let text = parameters["environment"] else { return state.environment }
        guard let environment = APNSEnvironment(rawValue: text) else {
            throw .badRequest("the query parameter \"environment\" is sandbox or production")
        }
        return environment
    }

    /// A number of the query that is at least 1.
    func limit(_ parameters: [String: String], maximum: Int) throws(Problem) -> Int? {
        guard let text = parameters["limit"] else { return nil }
        guard let limit = Int(text), (1...maximum).contains(limit) else {
            throw .badRequest("the query parameter \"limit\" is a number from 1 to \(maximum)")
        }
        return limit
    }

    /// `next` of the page before.
    func cursor(_ parameters: [String: String]) throws(Problem) -> UInt64? {
        guard let text = parameters["cursor"] else { return nil }
        guard let cursor = UInt64(text) else {
            throw .badRequest("the query parameter \"cursor\" is the value of \"next\" of the page before")
        }
        return cursor
    }

    private static let index = """
        apns-toolkit gateway simulator, control API

        GET    /                                       the inspector page
        GET    /api                                    this list
        GET    /health
        GET    /metrics                                counts since the start, as Prometheus text
        GET    /api/notifications                      the journal, newest first; POST sends an envelope
        GET    /api/notifications/{apns-unique-id}     one, with its life
        DELETE /api/notifications                      empties the journal
        GET    /api/counts                             how many there were, by what became of them
        POST   /api/validate                           what the validator says about an envelope
        GET    /api/events                             server-sent events of all that happens
        GET    /api/devices                            POST registers {"topic":"com.example.agent"}
        GET    /api/devices/{token}                    PATCH changes its state, DELETE uninstalls
        GET    /api/devices/{token}/notifications      what the device has, and what waits for it
        GET    /api/devices/{token}/deliveries         server-sent events of what reaches the device
        GET    /api/channels                           broadcast channels and what they store
        GET    /api/clock                              PUT {"mode":"manual","now":"2026-11-21T07:00:00Z"}
        POST   /api/clock/advance                      {"by":"55m"}
        GET    /api/apps, /api/keys                    POST adds one
        GET    /api/faults                             POST adds {"effect":{"delay":"40ms"}}, DELETE removes all
        DELETE /api/faults/{id}                        removes one; docs/faults.md has every effect
        POST   /api/reset                              everything back to the state at start

        """
}
