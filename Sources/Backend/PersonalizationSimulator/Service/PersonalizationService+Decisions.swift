import APNSModel
import ServiceHost

/// Decisions in five phases: request, augment, qualify, personalize, respond and log.
extension PersonalizationService {
    package mutating func decide(
        _ request: DecisionRequest, isSignedOn: Bool, at now: Int64
    ) -> DecisionAnswer {
        // Request.
        guard passesRateLimit(at: now) else {
            return .refused(
                status: 429,
                [Diagnostic(406, "too many requests: more than \(configuration.limits.requestsPerMinute) a minute")],
                pause: pause(at: now))
        }
        if !isSignedOn, request.points.contains(where: { $0.decisionID != nil }) {
            return .refused(status: 400, [Diagnostic(408, "a decision is named in a call without sign-on")])
        }
        guard let space = space(request.dataSpace) else {
            let known = configuration.dataSpaces.joined(separator: ", ")
            return .refused(
                status: 400,
                [Diagnostic(400, "there is no data space \(ShownText.quoted(request.dataSpace)); there are \(known)")])
        }
        credits += request.points.count
        var call = Call(request: request, space: space, isSignedOn: isSignedOn, requestID: makeID(), now: now)

        // Augment.
        let person = individuals[space].find(request.individual)
        call.individual = person?.id ?? request.individual
        if let profile = request.profile {
            call.facts.attributes = profile
        } else if !request.flags.contains(.contextOnly), let person {
            call.facts.attributes = person.attributes
            call.viewed = person.viewed
        }
        call.facts.context = request.context
        call.facts.campaign =
            request.requestURL.map { FormText.parameters(ofURL: $0, limit: ServiceLimits.contextKeys) } ?? [:]
        call.facts.anchor = anchor(of: request)

        // Qualify and personalize each point.
        var reply = DecisionReply(
            requestID: call.requestID, individual: call.individual, dataSpace: request.dataSpace)
        for asked in request.points {
            guard let point = point(asked, &call), let choice = choice(at: point, asked, &call) else { continue }
            let (decision, source) = choice
            let id = makeID()
            let items = items(for: decision, point, &call)
            reply.personalizations.append(
                DecisionReply.Personalization(
                    id: id, pointID: point.id, pointName: point.name, decisionID: decision.id,
                    attributes: decision.content, items: items, itemType: decision.recommender?.type))
            call.note(Diagnostic(200, "decision \(decision.name)"), point.name)
            guard !request.flags.contains(.testMode) else { continue }
            decisions.append(
                DecisionRecord(
                    requestID: call.requestID, personalizationID: id, dataSpace: request.dataSpace,
                    point: point.name, decision: decision.name, source: source, askedFor: request.individual,
                    individual: call.individual,
                    isLanding: point.isLanding, items: items.map(\.id), time: now))
        }
        if call.answerable == 0 { call.note(Diagnostic(403, "no point of the request can be answered"), nil) }

        // Respond and log.
        if isSignedOn, request.flags.contains(.enableDiagnostics) {
            reply.diagnostics = call.notes.map(\.diagnostic)
        } else if !request.flags.contains(.testMode) {
            for note in call.notes where !(200..<300).contains(note.diagnostic.code) {
                log(note.diagnostic, call.requestID, point: note.point, at: now)
            }
        }
        return .reply(reply)
    }

    /// What is known of a request while its points are decided.
    struct Call {
        let request: DecisionRequest
        /// The position of the data space.
        let space: Int
        let isSignedOn: Bool
        let requestID: String
        let now: Int64
        var individual = ""
        var viewed: [String] = []
        var facts = Condition.Facts()
        /// That of the first point.
        var graph: String?
        var answerable = 0
        var notes: [(point: String?, diagnostic: Diagnostic)] = []

        init(request: DecisionRequest, space: Int, isSignedOn: Bool, requestID: String, now: Int64) {
            self.request = request
            self.space = space
            self.isSignedOn = isSignedOn
            self.requestID = requestID
            self.now = now
        }

        mutating func note(_ diagnostic: Diagnostic, _ point: String?) { notes.append((point, diagnostic)) }
    }

    private func anchor(of request: DecisionRequest) -> Item? {
        guard let id = request.anchorID else { return nil }
        if let type = request.anchorType { return configuration.items[type]?.item(id) }
        return catalogs.lazy.compactMap { $0.item(id) }.first
    }

    /// The point that is asked for, if this request can have it.
    private func point(_ asked: DecisionRequest.Point, _ call: inout Call) -> DecisionPoint? {
        guard asked.id != nil || asked.name != nil else {
            call.note(Diagnostic(402, "a point has neither id nor name"), nil)
            return nil
        }
        guard let point = point(asked), point.dataSpace == call.request.dataSpace else {
            let name = asked.id ?? asked.name ?? ""
            call.note(Diagnostic(401, "the point \(ShownText.quoted(name)) is not configured"), name)
            return nil
        }
        // The first point decides, whether or not it can be answered.
        let graph = call.graph ?? point.graph
        call.graph = graph
        guard point.graph == graph else {
            call.note(
                Diagnostic(
                    405, "\(point.name) is skipped: its profile graph is \(point.graph), the request's is \(graph)"),
                point.name)
            return nil
        }
        guard call.isSignedOn || !point.needsSignOn else {
            call.note(Diagnostic(404, "\(point.name) needs sign-on"), point.name)
            return nil
        }
        call.answerable += 1
        return point
    }

    /// The decision for a person at a point: the one named, else that of the experiment, else the first that qualifies.
    private mutating func choice(
        at point: DecisionPoint, _ asked: DecisionRequest.Point, _ call: inout Call
    ) -> (PointDecision, DecisionRecord.Source)? {
        if let name = asked.decisionID {
            if let decision = point.decisions.first(where: { $0.id == name || $0.name == name }) {
                return (decision, .named)
            }
            call.note(Diagnostic(407, "\(point.name) has no decision \(ShownText.quoted(name))"), point.name)
            return nil
        }
        if let experiment = point.experiment, holds(experiment.conditions, "experiment \(experiment.id)", point, &call)
        {
            let person = call.request.unifiedIndividual ?? call.individual
            let group = experiment.decision(of: person, seed: configuration.seed)
            if !call.request.flags.contains(.testMode) {
                groups.add(person, to: group, of: experiment.id)
            }
            if let decision = point.decisions.first(where: { $0.name == group }) { return (decision, .experiment) }
            call.note(Diagnostic(204, "\(point.name): control of experiment \(experiment.id), no content"), point.name)
            return nil
        }
        for decision in point.decisions where holds(decision.conditions, decision.name, point, &call) {
            return (decision, .priority)
        }
        call.note(Diagnostic(204, "\(point.name): no decision qualified"), point.name)
        return nil
    }

    /// A rule that cannot be evaluated does not hold.
    private func holds(_ conditions: [Condition], _ what: String, _ point: DecisionPoint, _ call: inout Call) -> Bool {
        do throws(Condition.CannotEvaluate) {
            return try conditions.allHold(call.facts)
        } catch {
            call.note(
                Diagnostic(521, "\(point.name): a rule of \(what) compares a number with text"), point.name)
            return false
        }
    }
}
