import APNSModel

extension World {
    /// Adds a fault rule behind those there are.
    package mutating func add(_ rule: FaultRule, real: Int64) throws(RegistrationFault) -> ActiveFault {
        let now = now(real: real)
        if let until = rule.until, now >= until {
            throw .incomplete(
                "\"until\" is over already: the gateway's clock is \(Period.text((now - until) / 1000)) past it")
        }
        faults.removeOver(at: now)
        guard faults.active.count < settings.maximumFaults else { throw .full("fault rules", settings.maximumFaults) }
        return faults.add(rule)
    }

    /// Every fault rule that is not over, in the order in which requests are offered to them.
    package func activeFaults(real: Int64) -> [ActiveFault] {
        let now = now(real: real)
        return faults.active.filter { !$0.isOver(at: now) }
    }

    /// - Returns: Whether there was such a rule.
    package mutating func removeFault(_ id: String) -> Bool { faults.remove(id) }

    package mutating func removeFaults() { faults.removeAll() }

    /// The rule that a request runs into.
    mutating func hit(_ request: borrowing Inspection, on connection: GatewayConnection) -> ActiveFault? {
        let topic = request.channel?.route?.bundleID ?? request.head.topic ?? ""
        return faults.hit(
            request.head, topic: topic.isEmpty ? connection.certificateTopics.first : topic, at: request.now)
    }

    /// What the shell does beyond writing the answer.
    mutating func action(
        of effect: FaultEffect, stream: Int32, on connection: inout GatewayConnection, at now: Int64
    ) -> FaultAction? {
        switch effect {
        case .refuse, .maximumConcurrentStreams: return nil
        case .delay(let delay):
            let length = faults.milliseconds(of: delay)
            return length == 0 ? nil : .hold(until: now + length)
        case .silence: return .silence
        case .reset(let code, _): return .reset(code: code)
        case .disconnect:
            connection.cut()
            return .disconnect
        case .goAway(let fault): return .goAway(connection.goAway(fault, at: stream))
        }
    }

    /// Journals a request that a fault rule keeps from being judged.
    mutating func leaveUnprocessed(
        _ request: borrowing Inspection, _ fault: ActiveFault, stream: Int32, on connection: inout GatewayConnection
    ) -> Judgement {
        let note = FaultNote(id: fault.id, why: fault.rule.effect.why)
        let sequence = journal.nextSequence
        let random = generator.next()
        let apnsID =
            NotificationID(checking: request.head.apnsID ?? "")?.text ?? NotificationID(using: &generator).text
        let verdict = Verdict(
            outcome: .unprocessed, apnsID: apnsID, uniqueID: nil, rule: Verdict.faultRule, why: note.why)
        counts.add(verdict.outcome, fault.rule.effect)
        journal.append { $0.write(request, verdict, fault: note, random: random, in: connection.environment) }
        return Judgement(
            verdict: verdict, sequence: sequence, streamLimit: nil, events: [], response: nil,
            fault: action(of: fault.rule.effect, stream: stream, on: &connection, at: request.now))
    }
}
