import APNSModel
import ProviderToken

extension World {
    /// How much of a body is kept. A longer one is too large for every push type. A transport that cuts bodies off must keep
    /// at least this much.
    package static let maximumBodyBytes = 8192

    /// Judges one request, journals it and, when it is accepted, delivers, stores or holds the notification.
    ///
    /// - Parameters:
    ///   - connection: The connection of the request. It must still take the stream (`accepts`); the request may bind it to a
    ///     team and a key.
    ///   - reportsAll: Whether the result has all events; otherwise only deliveries.
    package mutating func judge(
        _ complete: CompleteRequest, on connection: inout GatewayConnection, real: Int64, reportsAll: Bool = true
    ) -> Judgement {
        var request = Inspection(complete, at: clock.now(real: real))
        request.isFromControl = connection.role == .control
        if request.now >= nextExpiry {
            let events = passTime(to: request.now)
            overdue += events
        }
        if request.pathToken == nil || connection.role == .manage {
            request.channel = ChannelInspection(request.head, over: connection.role)
        }
        guard !faults.isEmpty, let fault = hit(request, on: connection) else {
            return judge(&request, nil, stream: complete.stream, on: &connection, reportsAll)
        }
        return fault.rule.effect.takesPlaceOfJudging
            ? leaveUnprocessed(request, fault, stream: complete.stream, on: &connection)
            : judge(&request, fault, stream: complete.stream, on: &connection, reportsAll)
    }

    private mutating func judge(
        _ request: inout Inspection, _ fault: ActiveFault?, stream: Int32, on connection: inout GatewayConnection,
        _ reportsAll: Bool
    ) -> Judgement {
        let environment = connection.environment
        connection.noteJudged(stream)
        let (objection, rule) = firstObjection(to: &request, fault?.rule.effect, on: &connection)
        if case .maximumConcurrentStreams(let limit) = fault?.rule.effect { connection.fixStreamLimit(limit) }
        var streamLimit = connection.streamLimit(
            isProven: request.isProven, isAccepted: objection == nil, settings)
        if case .refuse(_, let streams?) = fault?.rule.effect { streamLimit = connection.lowerStreamLimit(to: streams) }

        let sequence = journal.nextSequence
        let random = generator.next()
        let id = uniqueIDs.id(of: sequence, random: random)
        let apnsID =
            request.id?.text ?? NotificationID(checking: request.givenID ?? "")?.text
            ?? NotificationID(using: &generator).text(inLowerCase: settings.contested.makesLowercaseIDs)
        let answer = request.channel != nil && objection == nil ? perform(&request, in: environment) : nil
        let isShown =
            environment == .sandbox && request.channel == nil
            && (objection == nil || settings.contested.sendsUniqueIDOnRefusals)
        let verdict = Verdict(
            outcome: objection.map { .refused($0.reason, timestamp: $0.timestamp) } ?? .accepted,
            apnsID: apnsID, shownID: isShown ? id : nil, rule: rule, why: objection?.why ?? why(request, rule),
            kind: request.kind)

        if request.kind.isSend {
            counts.add(verdict.outcome, fault?.rule.effect)
        } else {
            channelCounts.add(verdict.outcome, fault?.rule.effect)
        }
        let note = fault.map { FaultNote(id: $0.id, why: $0.rule.effect.why) }
        journal.append { $0.write(request, verdict, fault: note, random: random, in: environment) }
        var events: [DeliveryEvent] = []
        if objection == nil {
            let effect = fault?.rule.effect
            if request.channel == nil {
                swap(&events, &spareEvents)
                deliver(request, effect, sequence: sequence, id: id, apnsID: apnsID, in: environment, into: &events)
            } else if request.kind == .broadcast {
                events = broadcast(request, effect, sequence: sequence, id: id, requestID: apnsID)
            }
            for event in events { journal.add(event.life, to: event.delivery.sequence) }
            if !reportsAll, request.channel == nil {
                let delivered = events.filter { $0.stage == .delivered }
                events.removeAll(keepingCapacity: true)
                spareEvents = events
                events = delivered
            }
        }
        return Judgement(
            verdict: verdict, sequence: sequence, streamLimit: streamLimit,
            events: overdue.isEmpty ? events : takeOverdue() + events,
            response: GatewayResponse(
                verdict, settings.contested, answer, isToHead: objection != nil && request.head.method == "HEAD"),
            fault: fault.flatMap { action(of: $0, stream: stream, on: &connection, at: request.now) })
    }

    private mutating func firstObjection(
        to request: inout Inspection, _ effect: FaultEffect?, on connection: inout GatewayConnection
    ) -> (Objection?, rule: String) {
        if request.isMisdirected {
            return (Verdict.misdirected(request.head.authority, host: connection.invalidHost), Verdict.worldRule)
        }
        if let effect, case .refuse(let reason, _) = effect {
            let timestamp = reason.status == 410 ? request.now : nil
            return (Objection(reason, effect.why, timestamp: timestamp), Verdict.faultRule)
        }
        if let recorded = recordedAnswer(to: &request, on: &connection) { return recorded }
        if let channel = request.channel { return channelObjection(to: &request, channel, on: &connection) }
        for position in checks.indices {
            let body = checks[position].body
            if let objection = body(&request, &self, &connection) { return (objection, checks[position].id) }
        }
        return (nil, Verdict.acceptedRule)
    }

    private func why(_ request: borrowing Inspection, _ rule: String) -> String {
        guard rule != Verdict.recordedRule else {
            return request.deviceToken != nil
                ? "the recording has an acceptance (--answers), and every check passed"
                : "the recording has an acceptance (--answers); a check objected, so it is not delivered to a device"
        }
        if request.isFromControl {
            return "every check passed; the control API sent it, so no provider token was asked for"
        }
        return request.token.map { $0.keyIndex == nil } ?? false
            ? "every check passed, but the key of the provider token is unknown, so its signature was not checked"
            : "every check passed"
    }

    /// Registers the device if the request is its first use, and delivers, stores or holds the notification.
    private mutating func deliver(
        _ request: borrowing Inspection, _ effect: FaultEffect?, sequence: UInt64, id: UniqueID, apnsID: String,
        in environment: APNSEnvironment, into events: inout [DeliveryEvent]
    ) {
        guard let token = request.deviceToken, let topic = request.topic else { return }
        let slot: Int
        if let known = request.slot {
            slot = known
        } else {
            slot = registerOnUse(token, topic, request.body, in: environment, at: request.now, forgotten: &events)
        }
        let delivery = Delivery(
            sequence: sequence, id: id, apnsID: apnsID, token: token, environment: environment,
            topic: topic.topic, pushType: request.pushType, priority: request.priority, expiration: request.expiration,
            collapseID: request.collapseID, payload: request.body, copies: effect?.copies ?? 1)
        if let effect, !interfere(effect, delivery, slot: slot, at: request.now, into: &events) { return }
        let expiry = delivery.storageEnds(receivedAt: request.now)
        self[environment][slot].take(delivery, until: expiry, at: request.now, deliveryRules, into: &events)
        setWakeUp(slot, in: environment)
    }

    mutating func takeOverdue() -> [DeliveryEvent] {
        defer { overdue = [] }
        return overdue
    }

    private mutating func registerOnUse(
        _ token: DeviceToken, _ topic: ParsedTopic, _ payload: [UInt8], in environment: APNSEnvironment, at now: Int64,
        forgotten events: inout [DeliveryEvent]
    ) -> Int {
        var kind = DeviceKind(suffix: topic.suffix)
        // Only the payload shows whether the device token starts Live Activities or belongs to a running one.
        if kind == .liveactivity, PayloadAPS(payload)?.event == "start" { kind = .startLiveActivity }
        let (maximum, rate) = (maximumDevices(in: environment), settings.deviceRate)
        let (slot, forgotten) = self[environment].add(
            token, environment: environment, kind: kind, topic: topic.topic,
            isImplicit: true, at: now, maximum: maximum)
        if let rate { _ = self[environment][slot].rate.counts(against: rate, at: now) }
        events += forgotten?.eventsOfForgetting(at: now, maximum) ?? []
        return slot
    }
}

extension NotificationID {
    fileprivate func text(inLowerCase isLowercase: Bool) -> String { isLowercase ? text.lowercased() : text }
}
