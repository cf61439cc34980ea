import APNSModel
import APNSTransport
import GatewayCore
import GatewayRuntime
import HTTP2Session
import NIOCore

/// What fault rules do to a connection.
extension SenderConnection {
    /// The world's clock was set, moved or, with the world, reset: then nothing is put off any more.
    func clockChanged(_ change: ClockChange) {
        guard let connection else { return }
        if !waiting.isEmpty || state.heldUntil != nil {
            cancelWaitingTimer()
            release(upTo: change.isReset ? .max : world.clock().now, isReset: change.isReset, connection)
        }
        idleTime.clockChanged(change, lastRead: connection.lastRead)
        if connection.isOpen, state.isServing { endIfIdle(connection) }
    }

    /// Opens the flow-control window that a removed fault rule had closed.
    ///
    /// - Parameter id: Nil for all of them, also those that were used up.
    func faultsRemoved(_ id: String?) {
        guard let connection, let window = waiting.window, id.map({ $0 == window.faultID }) ?? true else { return }
        openWindow(connection)
        connection.flush()
    }

    /// - Parameter answer: Nil for a request that was not judged.
    func perform(
        _ fault: FaultAction, _ answer: HeldAnswers.Answer?, _ stream: HTTP2Stream,
        _ connection: Connection<SenderConnection>
    ) {
        switch fault {
        case .hold(let due): if let answer { waiting.answers.hold(answer, until: due) }
        case .slowBody(let start, let end):
            guard let answer else { return }
            respond(answer, keepsBodyBack: true, connection)
            if let end {
                waiting.bodies.add(stream, bytes: answer.response.body.count, from: start, until: end)
            } else {
                silent.insert(stream.id)
            }
        case .silence: silent.insert(stream.id)
        case .reset(let code): connection.http2.reset(stream, HTTP2ErrorCode(rawValue: code))
        case .disconnect(let isReset): if isReset { connection.reset() } else { connection.close() }
        case .halfOpen:
            state.fellSilent()
            waiting = DeferredEffects()
            cancelWaitingTimer()
            connection.fallSilent()
        case .goAway(let order): sendGoAway(order, answer, stream, connection)
        case .window(let order):
            if let answer { respond(answer, connection) }
            setWindow(order.bytes, connection)
            waiting.window = order
        }
    }

    private func sendGoAway(
        _ order: GoAwayOrder, _ answer: HeldAnswers.Answer?, _ stream: HTTP2Stream,
        _ connection: Connection<SenderConnection>
    ) {
        if let answer {
            if order.closing != .now { respond(answer, connection) }
        } else if gateway.accepts(stream.id) {
            connection.http2.reset(stream, .refusedStream)  // the GOAWAY alone does not say it of this stream
        }
        for last in order.lastStreams {
            connection.http2.sayGoAway(
                lastStreamID: last, HTTP2ErrorCode(rawValue: order.code), debugData: order.debugData)
        }
        if case .close = state.faultSentGoAway(order.closing) { connection.close() }
    }

    private func setWindow(_ bytes: UInt32, _ connection: Connection<SenderConnection>) {
        guard bytes != waiting.window?.bytes else { return }
        attempt(connection) { () throws(HTTP2Error) in
            try connection.http2.updateSettings([.initialWindowSize(bytes)])
        }
    }

    private func openWindow(_ connection: Connection<SenderConnection>) {
        setWindow(ConnectionSettings.defaultWindow, connection)
        waiting.window = nil
    }

    /// One timer serves all that is put off: it is set for what comes next. A manual clock needs none.
    func setWaitingTimer(_ connection: Connection<SenderConnection>) {
        guard let due = [waiting.nextDue, state.heldUntil].compactMap(\.self).min(), due < .max else { return }
        if let waitingTimer, waitingTimer.due <= due { return }
        cancelWaitingTimer()
        let clock = world.clock()
        guard clock.mode == .real else { return }
        let task = eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(max(0, due - clock.now))) {
            self.waitingTimer = nil
            self.release(upTo: max(due, self.world.clock().now), isReset: false, connection)
        }
        waitingTimer = (due, task)
    }

    private func cancelWaitingTimer() {
        waitingTimer?.task.cancel()
        waitingTimer = nil
    }

    private func release(upTo now: Int64, isReset: Bool, _ connection: Connection<SenderConnection>) {
        if case .resumeHandshake = state.timePassed(to: now) { connection.resumeHandshake() }
        guard connection.isOpen else { return setWaitingTimer(connection) }
        while let answer = waiting.answers.next(upTo: now) {
            respond(answer, connection)
            if let verdict = answer.verdict { world.answered(verdict, after: .now - answer.began) }
        }
        for step in waiting.bodies.steps(upTo: now) { connection.http2.release(step.stream, upTo: step.bytes) }
        if let window = waiting.window, isReset || window.until.map({ $0 <= now }) ?? false { openWindow(connection) }
        connection.flush()
        if connection.isOpen { setWaitingTimer(connection) }
    }

    /// Closes once every stream that is taken and not silent has its answer. It waits half a second, so that the sender can
    /// close first: closing a socket that has unread bytes resets it, and the sender may lose the GOAWAY.
    func closeIfDone(_ connection: Connection<SenderConnection>) {
        guard connection.isOpen, graceTimer == nil else { return }
        let awaitsAnswer = incoming.indices.contains { slot in
            guard let stream = connection.http2.stream(inSlot: slot) else { return false }
            return gateway.accepts(stream.id) && !silent.contains(stream.id)
        }
        if !awaitsAnswer { close(connection, after: SenderConnection.faultGrace) }
    }

    private static let faultGrace: Duration = .milliseconds(500)
}
