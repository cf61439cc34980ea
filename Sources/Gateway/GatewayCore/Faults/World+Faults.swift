import APNSModel

extension World {
    /// Adds a fault rule after the existing ones.
    package mutating func add(_ rule: FaultRule, real: Int64) throws(RegistrationError) -> ActiveFault {
        let now = now(real: real)
        if let until = rule.until, now >= until {
            throw .incomplete(
                "\"until\" is in the past: the gateway's clock is \(Period.text((now - until) / 1000)) past it")
        }
        faults.removeOver(at: now)
        guard faults.active.count < settings.maximumFaults else {
            throw .full(RegistrationError.faultRules, settings.maximumFaults)
        }
        try checkMemory()
        return faults.add(rule)
    }

    /// Whether rules have ended by themselves since `takeEndedFaults`.
    package var hasEndedFaults: Bool { faults.hasEnded }

    package mutating func takeEndedFaults() -> [ActiveFault] { faults.takeEnded() }

    /// Every fault rule that is not over, in the order in which they are tried.
    package func activeFaults(real: Int64) -> [ActiveFault] {
        let now = now(real: real)
        return faults.active.filter { !$0.isOver(at: now) }
    }

    /// - Returns: The rule; nil if there is none with this id.
    package mutating func removeFault(_ id: String) -> ActiveFault? { faults.remove(id) }

    /// - Returns: The removed rules.
    package mutating func removeFaults() -> [ActiveFault] { faults.removeAll() }

    /// A new connection, before TLS.
    ///
    /// - Returns: The rule that hit it, and until when its TLS is delayed (`Int64.max` for never ending); nil for no delay.
    package mutating func connects(real: Int64) -> (fault: ActiveFault, until: Int64)? {
        guard !faults.isEmpty else { return nil }
        let now = now(real: real)
        guard let fault = faults.hitConnection(at: now), case .slowAccept(let delay) = fault.rule.effect else {
            return nil
        }
        return (fault, faults.milliseconds(of: delay).map { now + $0 } ?? .max)
    }

    /// The rule that a request hits.
    mutating func hit(_ request: borrowing Inspection, on connection: borrowing GatewayConnection) -> ActiveFault? {
        let topic = request.channel?.route?.bundleID ?? request.head.topic ?? ""
        return faults.hit(request, topic: topic.isEmpty ? connection.certificateTopics.first : topic)
    }

    /// What the transport does beside sending the answer.
    mutating func action(
        of fault: ActiveFault, stream: Int32, on connection: inout GatewayConnection, at now: Int64
    ) -> FaultAction? {
        switch fault.rule.effect {
        case .refuse, .maximumConcurrentStreams, .lose, .duplicate, .offline, .uninstall, .slowAccept: return nil
        case .delay(let delay):
            guard let length = faults.milliseconds(of: delay) else { return .silence }
            return length == 0 ? nil : .hold(until: now + length)
        case .slowBody(let delay):
            let length = faults.milliseconds(of: delay)
            return length == 0 ? nil : .slowBody(from: now, until: length.map { now + $0 })
        case .silence: return .silence
        case .reset(let code, _): return .reset(code: code)
        case .disconnect(_, let isReset):
            connection.stopAccepting()
            return .disconnect(isReset: isReset)
        case .halfOpen:
            connection.stopAccepting()
            return .halfOpen
        case .goAway(let goAway):
            let order = connection.goAway(goAway, at: stream)
            if goAway.closing == .now { connection.stopAccepting() }
            return .goAway(order)
        case .window(let window):
            let length = window.time.flatMap { faults.milliseconds(of: $0) }
            let ends = [length.map { now + $0 }, fault.rule.until].compactMap { $0 }
            return .window(WindowOrder(bytes: window.bytes, until: ends.min(), faultID: fault.id))
        }
    }

    /// What an effect does to the device of an accepted notification.
    ///
    /// - Returns: Whether the notification is still delivered.
    mutating func interfere(
        _ effect: FaultEffect, _ delivery: Delivery, slot: Int, at now: Int64, into events: inout [DeliveryEvent]
    ) -> Bool {
        switch effect {
        case .lose:
            events.append(DeliveryEvent(.dropped, delivery, at: now, "a fault rule loses it on its way to the device"))
            return false
        case .offline(let delay):
            let back = delay.flatMap { faults.milliseconds(of: $0) }.map { now + $0 }
            self[delivery.environment].keep(slot)
            self[delivery.environment][slot].goOffline(until: back, at: now, into: &events)
            setWakeUp(slot, in: delivery.environment)
        case .uninstall(let delay):
            let noticed = faults.milliseconds(of: delay).map { now + $0 } ?? .max
            endSubscriptions(of: delivery.token, in: delivery.environment)
            self[delivery.environment].keep(slot)
            self[delivery.environment][slot].uninstall(noticedAt: noticed, at: now, into: &events)
        default: break
        }
        return true
    }

    /// Journals a request that is not judged because of a fault rule.
    mutating func leaveUnprocessed(
        _ request: borrowing Inspection, _ fault: ActiveFault, stream: Int32, on connection: inout GatewayConnection
    ) -> Judgement {
        let note = FaultNote(id: fault.id, why: fault.rule.effect.why)
        let sequence = journal.nextSequence
        let random = generator.next()
        let apnsID =
            NotificationID(checking: request.head.apnsID ?? "")?.text ?? NotificationID(using: &generator).text
        let verdict = Verdict(
            outcome: .unprocessed, apnsID: apnsID, shownID: nil, rule: Verdict.faultRule, why: note.why)
        counts.add(verdict.outcome, fault.rule.effect)
        journal.append { $0.write(request, verdict, fault: note, random: random, in: connection.environment) }
        return Judgement(
            verdict: verdict, sequence: sequence, streamLimit: nil, events: takeOverdue(), response: nil,
            fault: action(of: fault, stream: stream, on: &connection, at: request.now))
    }
}
