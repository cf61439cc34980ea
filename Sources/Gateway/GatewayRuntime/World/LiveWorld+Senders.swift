import APNSTransport
package import GatewayCore
import GatewayJSON
import SystemFiles

/// What the connections of senders call.
extension LiveWorld {
    package func open(_ connection: inout GatewayConnection, _ certificate: ClientCertificate?)
        -> GatewayConnection.Opening
    {
        // By the machine's clock, as TLS checks certificates, too.
        let (settings, real) = read { world, real in (world.settings, real) }
        return connection.opened(certificate: certificate, settings: settings, at: real)
    }

    /// A connection was accepted.
    ///
    /// - Returns: The world's time until which a fault rule delays its TLS handshake; nil for no delay.
    package func connects() -> Int64? {
        change { state, real in
            guard let (fault, until) = state.world.connects(real: real) else { return nil }
            state.publish(.fault(.connectionHeld, fault), real)
            state.publishEndedFaults(real)
            return until
        }
    }

    /// - Returns: Nil where a connection may be silent for so many milliseconds.
    package func idle(_ connection: inout GatewayConnection, for silence: Int64) -> GoAway? {
        let settings = read { world, _ in world.settings }
        return connection.idle(for: silence, settings: settings)
    }

    /// Judges the requests of one batch under one lock.
    ///
    /// - Parameter stored: Called once, if the world has a store: with true when the judgements are stored, with false if
    ///   they could not be. Until then the caller must not act on them.
    /// - Returns: One judgement for each request, in the same order; nil for a request that the connection does not take
    ///   any more.
    package func judge(
        _ requests: [CompleteRequest], on connection: inout GatewayConnection,
        stored: (@Sendable (_ isStored: Bool) -> Void)? = nil
    ) -> [Judgement?] {
        noteUse()
        return change { state, real in
            if let stored { state.whenStored(stored) }
            var judgements: [Judgement?] = []
            judgements.reserveCapacity(requests.count)
            for request in requests {
                guard request.stream <= connection.lastAcceptedStream else {
                    judgements.append(nil)
                    continue
                }
                judgements.append(state.judge(request, on: &connection, real))
            }
            state.world.answered(judgements, to: requests, at: .now)
            state.publishEndedFaults(real)
            return judgements
        }
    }

    /// An answer that a fault rule delayed was sent.
    package func answered(_ verdict: Verdict, after duration: Duration) {
        change { state, _ in state.world.answered(verdict, after: duration) }
    }

    /// Judges a request of the control API, for which no credentials are needed. Fault rules whose effect only changes how an
    /// answer reaches a sender are not hit, since there is no connection; all others happen.
    ///
    /// - Returns: Nil if the journal has already dropped the entry.
    package func send(_ request: CompleteRequest) -> JournalEntry? {
        var connection = GatewayConnection(environment: environment, role: .control)
        guard let judgement = judge([request], on: &connection).first ?? nil else { return nil }
        return read { world, _ in world.notification(judgement.sequence) }
    }
}
