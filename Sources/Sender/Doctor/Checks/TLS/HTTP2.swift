extension DoctorCheck {
    static let http2 = DoctorCheck(
        id: "http2", layer: .tls,
        summary: "The other end speaks HTTP/2: its SETTINGS came.",
        cause: "Something on the way holds back or changes HTTP/2, or the gateway closes connections at once.",
        next: "look for a proxy or a load balancer between this machine and APNs, and let it pass TCP through",
        subject: { $0.connection.flatMap { $0.http2.seen(or: "there is no TLS connection") } }
    ) { http2 in
        if let reason = http2.goAway { return .fail("the gateway ended the connection at once: GOAWAY \(reason)") }
        if let failure = http2.failure { return .fail(failure) }
        guard let limit = http2.streamLimit else { return .fail("no SETTINGS came") }
        guard limit > 0 else { return .fail("the gateway allows no stream at all") }
        return .pass(
            "SETTINGS came, \(limit >= Int(Int32.max) ? "without a limit of streams" : "with a limit of \(limit) stream\(limit == 1 ? "" : "s")")"
        )
    }
}
