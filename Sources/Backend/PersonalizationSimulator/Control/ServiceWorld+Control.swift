import APNSModel
import PushDispatch
import ServiceHost
import SystemFiles

/// The control API: `/health`, `/metrics`, `/openapi.json` and `/api/…`. The server answers `/` and streams itself.
extension ServiceWorld {
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
        let operations = ServiceOperation.find(request.path)
        guard let operation = operations.first(where: { $0.method == request.method }) else {
            throw ControlProblem.unknown(request, operations)
        }
        try operation.checkParameters(of: request)
        let argument = operation.argument(in: request.path)
        switch operation.id {
        case .health: return json(health(real))
        case .metrics: return metrics
        case .state: return json(state(real))
        case .decisions: return json(decisions(try request.limit(), request))
        case .events: return json(try events(request))
        case .diagnostics: return json(diagnostics(try request.limit()))
        case .experiments: return json(experiments)
        case .individuals: return json(individuals(try request.limit(), try space(request) ?? 0))
        case .individual: return json(try individual(argument, in: try space(request)))
        case .faults: return service.faults.listed
        case .addFault: return try service.faults.add(request)
        case .removeFaults:
            service.faults.removeAll()
            return .noContent
        case .removeFault: return try service.faults.delete(argument)
        case .clock: return json(clock.json(real))
        case .setClock: return try clock.set(request, real: real)
        case .advanceClock: return try clock.advance(request, real: real)
        case .reset:
            reset()
            return .noContent
        case .page, .openAPI: throw ControlProblem(404, "only the server answers \(operation.path)")
        }
    }

    private var metrics: ServiceResponse {
        ServiceMetrics(self, residentBytes: ResidentMemory.bytes, streams: streams).text.response
    }

    /// The position of the data space that a parameter names; nil without the parameter.
    private func space(_ request: ServiceRequest) throws(ControlProblem) -> Int? {
        guard let name = request.parameter("dataspace") else { return nil }
        guard let space = service.space(name) else {
            let known = service.configuration.dataSpaces.joined(separator: ", ")
            throw ControlProblem(404, "there is no data space \(ShownText.quoted(name)); there are \(known)")
        }
        return space
    }

    // MARK: Bodies and parameters

    private func json(_ value: JSONValue, status: Int = 200) -> ServiceResponse {
        .json(value.compactBytes, status: status)
    }

    // MARK: Decisions and events

    private func decisions(_ limit: Int, _ request: ServiceRequest) -> JSONValue {
        let (point, individual) = (request.parameter("point"), request.parameter("individual"))
        let people = individual.map { name in service.individuals.map { $0.find(name)?.id ?? name } }
        let matching = service.decisions.records.filter { record in
            (point == nil || record.point == point)
                && (people.map { people in
                    service.space(record.dataSpace).map { people[$0] == person(of: record) } ?? false
                } ?? true)
        }
        return [
            "total": .integer(Int64(matching.count)), "credits": .integer(Int64(service.credits)),
            "dropped": .integer(Int64(service.decisions.dropped)),
            "decisions": .array(matching.suffix(limit).map(json)),
        ]
    }

    /// The person of a decision after the joins since then.
    private func person(of record: DecisionRecord) -> String {
        service.space(record.dataSpace).map { service.individuals[$0].resolve(record.individual) } ?? record.individual
    }

    func json(_ record: DecisionRecord) -> JSONValue {
        [
            "request-id": .string(record.requestID), "personalization-id": .string(record.personalizationID),
            "point": .string(record.point), "decision": .string(record.decision),
            "individual": .string(person(of: record)), "dataspace": .string(record.dataSpace),
            "asked-for": .string(record.askedFor), "source": .string(record.source.rawValue),
            "time": .string(TimeText.text(record.time)), "items": .array(record.items.map { .string($0) }),
            "impressions": .integer(Int64(record.count(.impression))),
            "clicks": .integer(Int64(record.count(.click))), "dismissals": .integer(Int64(record.count(.dismissal))),
            "opens": .integer(Int64(record.count(.open))),
        ]
    }

    private func events(_ request: ServiceRequest) throws(ControlProblem) -> JSONValue {
        let (limit, newest) = (try request.limit(), try request.limit("newest"))
        let isNewest = request.parameter("newest") != nil
        let (type, personalization) = (request.parameter("type"), request.parameter("personalization-id"))
        let individual = request.parameter("individual")
        let people = individual.map { name in service.individuals.map { $0.find(name)?.id } }
        let matching = service.events.entries.filter { entry in
            (type == nil || entry.event.type == type)
                && (personalization == nil || entry.event.personalizationID == personalization)
                && (people.map { isEvent(entry, of: $0) } ?? true)
        }
        return [
            "total": .integer(Int64(matching.count)), "repeats": .integer(Int64(service.events.repeats)),
            "dropped": .integer(Int64(service.events.dropped)),
            "events": .array(
                (isNewest ? matching.suffix(newest) : matching.prefix(limit)).map { .object($0.event.members) }),
        ]
    }

    /// - Parameter people: The person in each data space, where there is one.
    private func isEvent(_ entry: EventLog.Entry, of people: [String?]) -> Bool {
        let event = entry.event
        return people.indices.contains { space in
            guard let person = people[space], entry.dataSpace.map({ service.space($0) == space }) ?? true else {
                return false
            }
            return service.individuals[space].owner(of: event.deviceID, at: event.time) == person
        }
    }

    private func diagnostics(_ limit: Int) -> JSONValue {
        [
            "total": .integer(Int64(service.diagnostics.count)),
            "dropped": .integer(Int64(service.diagnostics.dropped)),
            "diagnostics": .array(
                service.diagnostics.entries.suffix(limit).map(json)),
        ]
    }

    func json(_ logged: PersonalizationService.LoggedDiagnostic) -> JSONValue {
        [
            "request-id": .string(logged.requestID), "point": logged.point.map { .string($0) } ?? .null,
            "code": .integer(Int64(logged.diagnostic.code)), "description": .string(logged.diagnostic.description),
            "time": .string(TimeText.text(logged.time)),
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

    /// - Parameter space: The position of the data space; nil for the first one that has the person.
    private func individual(_ encoded: String, in space: Int?) throws(ControlProblem) -> JSONValue {
        // In a path a plus sign is itself.
        let id = FormText.decode(encoded[...], plus: "+")
        let spaces = space.map { $0..<($0 + 1) } ?? service.individuals.indices
        for space in spaces {
            if let person = id.flatMap({ service.individuals[space].find($0) }) { return json(person, in: space) }
        }
        throw ControlProblem(404, "there is no individual, device, user id or email \(ShownText.quoted(encoded))")
    }

    private func individuals(_ limit: Int, _ space: Int) -> JSONValue {
        let individuals = service.individuals[space]
        let people = individuals.people
        return [
            "total": .integer(Int64(people.count)), "dropped": .integer(Int64(individuals.dropped.people)),
            "individuals": .array(
                people.keys.sorted().prefix(limit).compactMap { key in people[key].map { json($0, in: space) } }),
        ]
    }

    func json(_ person: Individual, in space: Int) -> JSONValue {
        [
            "id": .string(person.id), "dataspace": .string(service.configuration.dataSpaces[space]),
            "device-ids": .array(person.deviceIDs.map { .string($0) }),
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
            "dataspace": .string(service.configuration.dataSpaces.first ?? "default"), "clock": clock.json(real),
            "dataspaces": .array(service.configuration.dataSpaces.map { .string($0) }),
            "app-sources": .array(
                service.configuration.appSources.map {
                    ["app-source-id": .string($0.id), "dataspace": .string($0.dataSpace)]
                }),
        ]
    }

    func state(_ real: Int64) -> JSONValue {
        func count(_ number: Int) -> JSONValue { .integer(Int64(number)) }
        var state: [String: JSONValue] = [
            "clock": clock.json(real), "credits": count(service.credits), "repeats": count(service.events.repeats),
            "engagement-without-decision": count(service.events.withoutDecision),
            "dropped": .object(
                Dictionary(uniqueKeysWithValues: service.droppedCounts.map { ($0.what, count($0.count)) })),
        ]
        for (what, number) in service.kept { state[what] = count(number) }
        return .object(state)
    }
}
