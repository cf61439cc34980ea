extension DoctorCheck {
    static let port = DoctorCheck(
        id: "port", layer: .route,
        summary: "The port of the destination can be reached: 443 of APNs unless another one is given.",
        cause: "A firewall or a security group does not let the server out.",
        next: "allow TCP to *.push.apple.com, port 443 or 2197 (17.0.0.0/8 and Apple's IPv6 networks)",
        subject: { evidence in
            evidence.connection.flatMap { connection -> Observation<ConnectionEvidence> in
                if connection.attempts.first?.failure != nil, evidence.hasNoAddress {
                    return .unseen("the host has no address")
                }
                return connection.attempts.isEmpty ? .unseen("no connection was tried") : .seen(connection)
            }
        }
    ) { connection in
        let attempt = connection.attempts[0]
        guard let failure = attempt.failure else { return .pass("port \(attempt.port) is open") }
        guard connection.destination.environment == nil else { return .fail(failure) }
        return .fail(
            failure,
            next: "look whether \(connection.destination.name) runs, and allow TCP to its port \(attempt.port)")
    }
}
