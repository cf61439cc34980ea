import APNSModel
import PushDispatch

/// The control API: `/health` and `/api/…`.
extension ServiceWorld {
    private static let paths = [
        "clock", "clock/advance", "decisions", "diagnostics", "events", "experiments", "faults", "individuals",
        "individuals/{id}", "reset", "state",
    ]
    private static let defaultLimit = 1_000
    private static let maximumLimit: Int64 = 100_000

    mutating func control(_ request: ServiceRequest, real: Int64) -> ServiceResponse {
        do throws(ControlProblem) {
            return try answerControl(request, real: real)
        } catch {
            return error.response
        }
    }

    private mutating func answerControl(_ request: ServiceRequest, real: Int64) throws(ControlProblem)
        -> ServiceResponse
    {
        if request.method == "GET", request.path == "/health" { return json(health(real)) }
        guard request.path.hasPrefix("/api/") else {
            throw ControlProblem(
                404, "there is no \(ShownText.quoted(request.path)); there are the vendor's paths, /health and /api/…")
        }
        let path = String(request.path.dropFirst("/api/".count))
        switch (request.method, path) {
        case ("GET", "state"): return json(state(real))
        case ("GET", "decisions"): return json(decisions(try limit(request), request))
        case ("GET", "events"): return json(try events(request))
        case ("GET", "diagnostics"): return json(diagnostics(try limit(request)))
        case ("GET", "experiments"): return json(experiments)
        case ("GET", "individuals"): return json(individuals(try limit(request)))
        case ("GET", _) where path.hasPrefix("individuals/"):
            return json(try individual(String(path.dropFirst("individuals/".count))))
        case ("GET", "faults"): return json(["faults": .array(service.faults.rules.map(\.json))])
        case ("POST", "faults"): return try addFault(request)
        case ("DELETE", "faults"):
            service.faults.removeAll()
            return .noContent
        case ("DELETE", _) where path.hasPrefix("faults/"):
            guard service.faults.remove(String(path.dropFirst("faults/".count))) else {
                throw ControlProblem(404, "there is no fault rule with this id")
            }
            return .noContent
        case ("GET", "clock"): return json(clockState(real))
        case ("PUT", "clock"): return try setClock(request, real)
        case ("POST", "clock/advance"): return try advanceClock(request, real)
        case ("POST", "reset"):
            reset()
            return .noContent
        default:
            guard ServiceWorld.paths.contains(path) || path.hasPrefix("individuals/") else {
                let known = ServiceWorld.paths.joined(separator: ", ")
                throw ControlProblem(404, "there is no /api/\(ShownText.cut(path, to: 60)); there are \(known)")
            }
            throw ControlProblem(405, "\(ShownText.cut(request.method, to: 16)) is not allowed for /api/\(path)")
        }
    }

    // MARK: Bodies and parameters

    private func json(_ value: JSONValue, status: Int = 200) -> ServiceResponse {
        .json(value.compactBytes, status: status)
    }

    private func body(of request: ServiceRequest) throws(ControlProblem) -> JSONValue {
        do throws(JSONReadError) {
            return try JSONReader.read(
                request.body,
                limits: JSONLimits(maximumBytes: ServiceLimits.body, maximumDepth: 16, maximumValues: 10_000))
        } catch {
            throw .bad("the body is \(error)")
        }
    }

    private func limit(_ request: ServiceRequest, _ name: String = "limit") throws(ControlProblem) -> Int {
        guard let text = request.parameter(name) else { return ServiceWorld.defaultLimit }
        guard let limit = Int64(text), (0...ServiceWorld.maximumLimit).contains(limit) else {
            throw .bad(
                "\(name) is \(ShownText.quoted(text)); a number from 0 to \(ServiceWorld.maximumLimit) is wanted")
        }
        return Int(limit)
    }

    // MARK: Decisions and events

    private func decisions(_ limit: Int, _ request: ServiceRequest) -> JSONValue {
        let (point, individual) = (request.parameter("point"), request.parameter("individual"))
        let person = individual.map { service.individuals.find($0)?.id ?? $0 }
        let matching = service.decisions.records.filter { record in
            (point == nil || record.point == point)
                && (person == nil || service.individuals.resolve(record.individual) == person)
        }
        return [
            "total": .integer(Int64(matching.count)), "credits": .integer(Int64(service.credits)),
            "dropped": .integer(Int64(service.decisions.dropped)),
            "decisions": .array(matching.suffix(limit).map(json)),
        ]
    }

    private func json(_ record: DecisionRecord) -> JSONValue {
        [
            "request-id": .string(record.requestID), "personalization-id": .string(record.personalizationID),
            "point": .string(record.point), "decision": .string(record.decision),
            "individual": .string(service.individuals.resolve(record.individual)),
            "asked-for": .string(record.askedFor), "source": .string(record.source.rawValue),
            "time": .string(TimeText.text(record.time)), "items": .array(record.items.map { .string($0) }),
            "impressions": .integer(Int64(record.count(.impression))),
            "clicks": .integer(Int64(record.count(.click))), "dismissals": .integer(Int64(record.count(.dismissal))),
            "opens": .integer(Int64(record.count(.open))),
        ]
    }

    private func events(_ request: ServiceRequest) throws(ControlProblem) -> JSONValue {
        let (limit, newest) = (try limit(request), try self.limit(request, "newest"))
        let isNewest = request.parameter("newest") != nil
        let (type, personalization) = (request.parameter("type"), request.parameter("personalization-id"))
        let individual = request.parameter("individual")
        let person = individual.flatMap { service.individuals.find($0)?.id }
        let matching = service.events.entries.filter { entry in
            (type == nil || entry.event.type == type)
                && (personalization == nil || entry.event.personalizationID == personalization)
                && (individual == nil || person.map { isEvent(entry.event, of: $0) } ?? false)
        }
        return [
            "total": .integer(Int64(matching.count)), "repeats": .integer(Int64(service.events.repeats)),
            "dropped": .integer(Int64(service.events.dropped)),
            "events": .array(
                (isNewest ? matching.suffix(newest) : matching.prefix(limit)).map { .object($0.event.members) }),
        ]
    }

    private func isEvent(_ event: ServiceEvent, of person: String) -> Bool {
        service.individuals.owner(of: event.deviceID, at: event.time) == person
    }

    private func diagnostics(_ limit: Int) -> JSONValue {
        [
            "total": .integer(Int64(service.diagnostics.count)),
            "dropped": .integer(Int64(service.diagnostics.dropped)),
            "diagnostics": .array(
                service.diagnostics.entries.suffix(limit).map { logged in
                    [
                        "request-id": .string(logged.requestID), "point": logged.point.map { .string($0) } ?? .null,
                        "code": .integer(Int64(logged.diagnostic.code)),
                        "description": .string(logged.diagnostic.description),
                        "time": .string(TimeText.text(logged.time)),
                    ]
                }),
        ]
    }

    private var experiments: JSONValue {
        let experiments = service.configuration.points.compactMap { point in point.experiment.map { (point, $0) } }
        return [
            "experiments": .array(
                experiments.map { point, experiment in
                    let counts = service.groups.counts(of: experiment.id)
                    let isLarge = experiment.shares.allSatisfy {
                        counts[$0.decision] ?? 0 >= ServiceLimits.peoplePerGroup
                    }
                    return [
                        "id": .string(experiment.id), "point": .string(point.name), "large-enough": .bool(isLarge),
                        "people": .object(counts.mapValues { .integer(Int64($0)) }),
                    ]
                })
        ]
    }

    // MARK: People

    private func individual(_ encoded: String) throws(ControlProblem) -> JSONValue {
        guard let id = PercentEncoding.decode(encoded[...]), let person = service.individuals.find(id) else {
            throw ControlProblem(404, "there is no individual, device, user id or email \(ShownText.quoted(encoded))")
        }
        return json(person)
    }

    private func individuals(_ limit: Int) -> JSONValue {
        let people = service.individuals.people
        return [
            "total": .integer(Int64(people.count)), "dropped": .integer(Int64(service.individuals.dropped.people)),
            "individuals": .array(people.keys.sorted().prefix(limit).compactMap { people[$0].map(json) }),
        ]
    }

    private func json(_ person: Individual) -> JSONValue {
        [
            "id": .string(person.id), "device-ids": .array(person.deviceIDs.map { .string($0) }),
            "user-id": person.userID.map { .string($0) } ?? .null, "email": person.email.map { .string($0) } ?? .null,
            "attributes": .object(person.attributes.mapValues { .string($0) }),
            "merged": .array(person.merged.map { .string($0) }),
            "joins": .array(
                person.joins.map { join in
                    [
                        "individual": .string(join.individual), "by": .string(join.reason),
                        "event-id": .string(join.eventID), "time": .string(TimeText.text(join.time)),
                    ]
                }), "viewed": .array(person.viewed.map { .string($0) }),
        ]
    }

    // MARK: State, clock, faults

    private func health(_ real: Int64) -> JSONValue {
        [
            "status": "ok", "app-source-id": .string(service.configuration.appSourceID),
            "dataspace": .string(service.configuration.dataSpaces.first ?? "default"), "clock": clockState(real),
        ]
    }

    private func state(_ real: Int64) -> JSONValue {
        let (people, dropped) = (service.individuals.people, service.individuals.dropped)
        func count(_ number: Int) -> JSONValue { .integer(Int64(number)) }
        return [
            "clock": clockState(real), "credits": count(service.credits),
            "decisions": count(service.decisions.records.count), "events": count(service.events.entries.count),
            "repeats": count(service.events.repeats), "individuals": count(people.count),
            "engagement-without-decision": count(service.events.withoutDecision),
            "dropped": [
                "decisions": count(service.decisions.dropped), "events": count(service.events.dropped),
                "event-ids": count(service.events.forgottenIDs), "individuals": count(dropped.people),
                "attributes": count(dropped.attributes), "joins": count(dropped.joins), "links": count(dropped.links),
                "diagnostics": count(service.diagnostics.dropped), "experiment-people": count(service.groups.dropped),
            ],
        ]
    }

    private func clockState(_ real: Int64) -> JSONValue {
        [
            "mode": clock.isManual ? "manual" : "real", "now": .string(TimeText.text(clock.now(real: real))),
        ]
    }

    private enum Mode: String, CaseIterable { case real, manual }

    private mutating func setClock(_ request: ServiceRequest, _ real: Int64) throws(ControlProblem) -> ServiceResponse {
        var members = try ControlBody(body(of: request), "the body")
        let mode = try members.word("mode", Mode.self)
        let time = try members.time("now")
        try members.finish()
        clock.set(isManual: mode.map { $0 == .manual } ?? clock.isManual, to: time, real: real)
        return json(clockState(real))
    }

    private mutating func advanceClock(
        _ request: ServiceRequest, _ real: Int64
    ) throws(ControlProblem) -> ServiceResponse {
        var members = try ControlBody(body(of: request), "the body")
        let longest = ServiceClock.range.upperBound
        guard let duration = try members.duration("by", -longest...longest) else {
            throw .bad("by is missing: \(TimeText.durationForm)")
        }
        try members.finish()
        clock.advance(by: duration, real: real)
        return json(clockState(real))
    }

    private mutating func addFault(_ request: ServiceRequest) throws(ControlProblem) -> ServiceResponse {
        guard let id = service.faults.add(try ServiceFault(json: body(of: request))) else {
            throw .bad("there are already \(ServiceFaults.maximumRules) fault rules; remove some")
        }
        return json(["id": .string(id)], status: 201)
    }
}
