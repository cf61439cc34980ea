extension DoctorCheck {
    static let otherPort = DoctorCheck(
        id: "other-port", layer: .route,
        summary: "Where the port cannot be reached, the other port of APNs is tried: 2197, or 443.",
        cause: "The firewall allows neither port.",
        next: "allow TCP to *.push.apple.com, port 443 or 2197 (17.0.0.0/8 and Apple's IPv6 networks)",
        subject: { evidence in
            evidence.connection.flatMap { connection -> Observation<ConnectionEvidence> in
                if connection.attempts.first?.failure != nil, evidence.hasNoAddress {
                    return .unseen("the host has no address")
                }
                if connection.attempts.count > 1 { return .seen(connection) }
                if connection.attempts.first?.failure != nil, connection.destination.environment != nil {
                    return .unseen("not tried: a proxy opens the connections, and says itself what it does not allow")
                }
                if connection.destination.environment == nil {
                    return .unseen(
                        "only APNs has the ports 443 and 2197, and the destination is \(connection.destination.name)")
                }
                return .unseen(
                    "not tried: a run opens one connection to a host, because APNs takes probing for an attack; to try it, give "
                        + "it with --gateway https://\(connection.destination.host):\(connection.destination.port == 443 ? 2197 : 443)"
                )
            }
        }
    ) { connection in
        let attempt = connection.attempts[1]
        guard let failure = attempt.failure else {
            return .warn(
                "port \(attempt.port) is open where port \(connection.attempts[0].port) is not",
                next:
                    "send to https://\(connection.destination.host):\(attempt.port), or open port \(connection.attempts[0].port)"
            )
        }
        return .fail(failure)
    }
}
