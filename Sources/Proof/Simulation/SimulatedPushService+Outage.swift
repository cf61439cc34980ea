/// How the gateway fails to serve for a while.
enum Outage: String, CaseIterable {
    /// Its port is closed.
    case closed
    /// The sender does not trust its certificate.
    case untrusted
    /// GOAWAY on each new connection.
    case goAway
    case badCertificate
    /// One answer on each connection, and then GOAWAY.
    case oneAnswer
}

extension SimulatedPushService {
    /// The present outage; nil once faults have stopped.
    var currentOutage: Outage? { run.injectsFaults ? outage : nil }

    /// The gateway breaks all connections and serves nobody for a while, in which pushes are sent all the time.
    func beginOutage() {
        guard outage == nil, let kind = run.pick(Outage.allCases), let device = run.pick(run.devices) else { return }
        let length = Int64(run.pick([3_500, 40_000, 700_000]) ?? 3_500)
        run.count(.outage)
        run.trace("the gateway is gone for \(length / 1_000) s (\(kind))")
        outage = kind
        for connection in connections.keys.sorted() where connections[connection]?.isOpen == true {
            lose(connection, "reset by the gateway")
        }
        run.timeline.after(length) { [self] in
            run.trace("the gateway is back")
            outage = nil
        }
        for moment in stride(from: Int64(0), to: min(length, 90_000), by: 500) {
            run.timeline.after(moment) { [self] in
                guard run.injectsFaults else { return }
                send(Array(#"{"aps":{"content-available":1},"type":"TEST","message":"Hello"}"#.utf8), to: device)
            }
        }
        turn()
    }

    /// Answers an attempt to connect during an outage.
    func apply(_ outage: Outage, to connection: Int) {
        switch outage {
        case .closed: lose(connection, "refused")
        case .untrusted: lose(connection, "the certificate is not trusted", isPermanent: true)
        case .oneAnswer: open(connection)
        case .goAway, .badCertificate:
            open(connection)
            leave(connection, reason: outage == .goAway ? "Shutdown" : "BadCertificate")
            lose(connection, "closed by the gateway")
        }
    }
}
