import APNSModel
import PushDispatch
import ServiceHost
import SystemFiles

/// The control API: `/health`, `/metrics`, `/openapi.json` and `/api/…`. The server answers `/` and streams itself.
extension OptimizationWorld {
    mutating func control(_ request: ServiceRequest, real: Int64) -> ServiceResponse {
        do throws(ControlProblem) {
            return try answerControl(request, real: real)
        } catch {
            return error.response
        }
    }

    private mutating func answerControl(
        _ request: ServiceRequest, real: Int64
    ) throws(ControlProblem) -> ServiceResponse {
        let operations = OptimizationOperation.find(request.path)
        guard let operation = operations.first(where: { $0.method == request.method }) else {
            throw ControlProblem.unknown(request, operations)
        }
        try operation.checkParameters(of: request)
        let argument = operation.argument(in: request.path)
        switch operation.id {
        case .health: return json(health(real))
        case .metrics:
            return OptimizationMetrics(self, residentBytes: ResidentMemory.bytes).text.response
        case .state: return json(state(real))
        case .profiles: return json(profiles(try request.limit()))
        case .profile: return json(try profile(argument))
        case .events: return json(try events(request))
        case .experiences: return json(["experiences": .array(configuration.experiences.map(json))])
        case .audiences: return json(["audiences": .array(audiences)])
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

    private func json(_ value: JSONValue) -> ServiceResponse { .json(value.compactBytes) }

    private func number(_ number: Int) -> JSONValue { .integer(Int64(number)) }

    // MARK: State

    private func health(_ real: Int64) -> JSONValue {
        [
            "status": "ok", "client-id": .string(configuration.clientID),
            "environment": .string(configuration.environment), "space": .string(configuration.space),
            "access-token": .string(configuration.accessToken), "clock": clock.json(real),
        ]
    }

    func state(_ real: Int64) -> JSONValue {
        var state: [String: JSONValue] = [
            "clock": clock.json(real), "repeats": number(service.events.repeats),
            "import-refused": number(service.importRefused),
            "engagement-without-experience": number(service.counts.unknown),
            "dropped": .object(
                Dictionary(uniqueKeysWithValues: service.droppedCounts.map { ($0.what, number($0.count)) })),
        ]
        for (what, count) in service.kept { state[what] = number(count) }
        return .object(state)
    }

    // MARK: Profiles

    private func profiles(_ limit: Int) -> JSONValue {
        [
            "total": number(service.profiles.count), "dropped": number(service.profiles.dropped),
            "profiles": .array(
                service.profiles.ids.sorted().prefix(limit).compactMap { service.profiles[$0].map(json) }),
        ]
    }

    private func profile(_ encoded: String) throws(ControlProblem) -> JSONValue {
        // In a path a plus sign is itself.
        let id = FormText.decode(encoded[...], plus: "+") ?? ""
        let user = service.profiles.profile(ofUser: id)
        guard let profile = service.profiles.find(id) ?? user.flatMap({ service.profiles.find($0) }) else {
            throw ControlProblem(404, "there is no profile and no user \(ShownText.quoted(encoded))")
        }
        return json(profile)
    }

    func json(_ profile: VisitorProfile) -> JSONValue {
        let reply = service.reply(for: profile)
        let chosen = Dictionary(
            reply.selections.map { ($0.experienceID, $0.variantIndex) }, uniquingKeysWith: { first, _ in first })
        return [
            "id": .string(profile.id), "stable-id": .string(profile.stableID), "random": .number(profile.random),
            "user-id": profile.userID.map { .string($0) } ?? .null,
            "merged": .array(profile.merged.map { .string($0) }), "traits": .object(profile.traits),
            "location": .object(profile.location), "session": .object(profile.session.members),
            "audiences": .array(profile.audiences.map { .string($0) }),
            "reasons": .array(configuration.audiences.map { reason($0, profile) }),
            "experiences": .array(
                configuration.experiences.map { experience in
                    let allocation = Allocation(experience: experience.id, stableID: profile.stableID)
                    return [
                        "experience": .string(experience.id), "traffic": .number(allocation.traffic),
                        "distribution": .number(allocation.distribution), "in": .bool(chosen[experience.id] != nil),
                        "variant-index": chosen[experience.id].map(number) ?? .null,
                        "sticky": .bool(experience.isSticky && profile.sticky[experience.id] != nil),
                    ]
                }),
            "events": .object(profile.eventCounts.mapValues(number)), "refused": number(profile.refused),
            "created": .string(TimeText.text(profile.created)), "seen": .string(TimeText.text(profile.seen)),
        ]
    }

    private func reason(_ audience: AudienceRule, _ profile: VisitorProfile) -> JSONValue {
        let (isIn, reasons) = audience.judge(profile)
        return [
            "audience": .string(audience.id), "name": .string(audience.name), "in": .bool(isIn),
            "conditions": .array(
                reasons.map { reason in
                    [
                        "condition": .string(reason.condition), "holds": .bool(reason.holds),
                        "value": reason.value.map { .string($0) } ?? .null,
                    ]
                }),
        ]
    }

    // MARK: Events

    private func events(_ request: ServiceRequest) throws(ControlProblem) -> JSONValue {
        let (limit, newest) = (try request.limit(), try request.limit("newest"))
        let isNewest = request.parameter("newest") != nil
        let isLong = request.parameter("form") == "long"
        let queue = try request.parameter("queue").map { text throws(ControlProblem) in
            guard let queue = ProfileEventLog.Queue(rawValue: text) else {
                throw .bad("queue is \(ShownText.quoted(text)); profile or analytics is wanted")
            }
            return queue
        }
        let type = request.parameter("type")
        let profile = request.parameter("profile").map { service.profiles.resolve($0) }
        let matching = service.events.entries.filter { entry in
            (queue == nil || entry.queue == queue) && (type == nil || entry.event.kind.rawValue == type)
                && (profile == nil || service.profiles.resolve(entry.profile) == profile)
        }
        return [
            "total": number(matching.count), "repeats": number(service.events.repeats),
            "dropped": number(service.events.dropped),
            "events": .array(
                (isNewest ? matching.suffix(newest) : matching.prefix(limit)).map { entry in
                    isLong ? json(entry) : .object(entry.event.members)
                }),
        ]
    }

    /// An event with what its members do not say, for the stream.
    func json(_ entry: ProfileEventLog.Entry) -> JSONValue {
        [
            "queue": .string(entry.queue.rawValue), "profile": .string(entry.profile),
            "received": .string(TimeText.text(entry.arrived)), "event": .object(entry.event.members),
        ]
    }

    // MARK: Experiences and audiences

    func json(_ experience: Experience) -> JSONValue {
        let numbers = service.counts[experience.id] ?? .init(experience.variantCount)
        let all = numbers.profiles.reduce(0, +)
        var audience = JSONValue.null
        if case .id(let id) = experience.audience { audience = .string(id) }
        return [
            "experience": .string(experience.id), "name": .string(experience.name), "type": .string(experience.kind),
            "traffic": .number(experience.traffic), "audience": audience,
            "audience-known": .bool(isKnown(experience.audience)), "sticky": .bool(experience.isSticky),
            "profiles": number(all),
            "variants": .array(
                numbers.profiles.indices.map { index in
                    let share = experience.distribution.indices.contains(index) ? experience.distribution[index] : 1
                    return [
                        "index": number(index), "share": .number(share), "profiles": number(numbers.profiles[index]),
                        "actual-share": all > 0 ? .number(Double(numbers.profiles[index]) / Double(all)) : .null,
                        "views": number(numbers.views[index]), "clicks": number(numbers.clicks[index]),
                    ]
                }),
        ]
    }

    /// Whether somebody can be in the audience.
    private func isKnown(_ audience: Experience.Audience) -> Bool {
        switch audience {
        case .none: true
        case .id(let id): configuration.audiences.contains { $0.id == id }
        case .unresolved: false
        }
    }

    private var audiences: [JSONValue] {
        var counts: [String: Int] = [:]
        for id in service.profiles.ids {
            for audience in service.profiles[id]?.audiences ?? [] { counts[audience, default: 0] += 1 }
        }
        return configuration.audiences.map { audience in
            [
                "audience": .string(audience.id), "name": .string(audience.name),
                "profiles": number(counts[audience.id] ?? 0),
            ]
        }
    }
}
