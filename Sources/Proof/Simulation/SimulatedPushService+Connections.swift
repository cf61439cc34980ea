import APNSModel
import APNSProvider
import GatewayCore

/// The connections between sender and gateway.
extension SimulatedPushService {
    func open(_ connection: Int) {
        guard var state = connections[connection] else { return }
        state.isOpen = true
        state.opened = run.timeline.now
        _ = state.gatewayConnection.opened(certificate: nil, settings: world.settings, at: world.now(real: real))
        connections[connection] = state
        driver.opened(connection, streamLimit: Int(state.gatewayConnection.streamLimit), at: now)
    }

    func lose(_ connection: Int, _ description: String, isPermanent: Bool = false) {
        guard let state = connections.removeValue(forKey: connection) else { return }
        if !state.isLeaving { audit.ended(state, at: run.timeline.now) }
        driver.lost(connection, description: description, isPermanent: isPermanent, at: now) {
            state.streams[$0]?.isSent ?? true
        }
    }

    /// The gateway says GOAWAY. What it has not judged is above the last stream.
    func leave(_ connection: Int, reason: String) {
        guard let state = connections[connection], !state.isLeaving else { return }
        audit.ended(state, at: run.timeline.now)
        connections[connection]?.isLeaving = true
        driver.goAway(connection, reason: reason, at: now)
        for slot in state.streams.keys.sorted() where state.streams[slot]?.isJudged == false {
            connections[connection]?.streams[slot] = nil
            driver.closed(connection, slot: slot, isRefused: true, description: "REFUSED_STREAM", at: now)
        }
    }

    func arrive(
        _ head: RequestHead, _ payload: [UInt8], _ connection: Int, _ generation: Int, _ slot: Int, _ number: Int32
    ) {
        guard var state = connections[connection], state.generation == generation,
            state.streams[slot]?.number == number,
            !state.isDead
        else { return }
        if run.injectsFault(run.settings.connectionFaultPercent) { return fail(connection) }
        state.streams[slot]?.isSent = true
        state.streams[slot]?.isJudged = true
        let id = state.streams[slot]?.id ?? 0
        judged[id, default: 0] += 1
        let request = CompleteRequest(stream: number, head: head, body: payload)
        let judgement = world.judge(request, on: &state.gatewayConnection, real: real)
        connections[connection] = state
        happened(judgement.events)
        let isLost = judgement.response == nil || run.injectsFault(run.settings.connectionFaultPercent / 2)
        guard !isLost || judgement.streamLimit != nil else { return }
        run.timeline.after(Int64(2 + run.number(below: 40))) { [self] in
            guard connections[connection]?.generation == generation, connections[connection]?.isDead == false else {
                return
            }
            // A frame of its own: it comes even where the answer does not.
            if let limit = judgement.streamLimit { driver.streamLimit(connection, Int(limit)) }
            guard !isLost, let response = judgement.response,
                connections[connection]?.streams[slot]?.number == number
            else { return turn() }
            driver.answered(
                connection, slot: slot, status: response.status, uniqueID: response.uniqueID, body: response.body,
                at: now)
            connections[connection]?.streams[slot] = nil
            driver.closed(connection, slot: slot, isRefused: false, description: "NO_ERROR", at: now)
            connections[connection]?.lastAnswer = run.timeline.now
            if connections[connection]?.firstAnswer == nil { connections[connection]?.firstAnswer = run.timeline.now }
            if let state = connections[connection] { audit.answered(state, at: run.timeline.now) }
            if currentOutage == .oneAnswer {
                leave(connection, reason: "Shutdown")
                lose(connection, "closed by the gateway")
            }
            turn()
        }
        turn()
    }

    /// Makes a connection fail.
    func fail(_ connection: Int? = nil) {
        guard let connection = connection ?? run.pick(connections.keys.sorted()),
            connections[connection]?.isOpen == true
        else { return }
        switch run.number(below: 3) {
        case 0:
            run.count(.connectionLost)
            run.trace("a connection of the sender breaks")
            lose(connection, "reset by the gateway")
        case 1:
            run.count(.goAway)
            run.trace("the gateway says GOAWAY")
            leave(connection, reason: "Shutdown")
        default:
            run.count(.connectionLost)
            run.trace("a connection of the sender is dead without notice")
            connections[connection]?.isDead = true
        }
        turn()
    }
}

/// The gateway and the delivery to its devices.
extension SimulatedPushService {
    func patch(_ device: AuditedDevice, _ patch: DevicePatch) {
        if let events = world.patch(device.token, in: .sandbox, patch, real: real)?.events { happened(events) }
    }

    func happened(_ events: [DeliveryEvent]) {
        for event in events {
            switch event.stage {
            case .delivered: deliver(event.delivery)
            case .replaced: run.count(.pushReplaced)
            default: break
            }
        }
        let change = world.nextChange
        guard change < .max, nextWorldChange.map({ change < $0 }) ?? true else { return }
        nextWorldChange = change
        run.timeline.at(change - Run.start) { [self] in
            nextWorldChange = nil
            happened(world.expireStored(real: real))
        }
    }

    /// Delivers a push, which may be lost, delayed, doubled or reordered.
    private func deliver(_ delivery: Delivery) {
        guard let device = run.devices.first(where: { $0.token == delivery.token }) else { return }
        if run.chance(run.settings.lostPercent) {
            run.count(.pushLost)
            return run.trace("a push to \(device.name) is lost")
        }
        var copies = 1
        if run.injectsFault(run.settings.doubledPercent) {
            run.count(.pushDoubled)
            copies = 2
        }
        for _ in 0..<copies {
            var trip = Int64(10 + run.number(below: 300))
            if run.injectsFault(run.settings.latePercent) {
                run.count(.pushLate)
                trip = Int64(run.number(below: 60_000))
            }
            run.timeline.after(trip) { device.receive(delivery.payload) }
        }
    }
}
