extension DoctorCheck {
    static let queueVersion = DoctorCheck(
        id: "queue-version", layer: .queue,
        summary: "The engine is new enough, no replica and not read-only, and no node of a Redis cluster.",
        cause:
            "The address is that of a replica, or of an engine that was not updated for years; or a setting makes "
            + "PostgreSQL read-only.",
        next: "use Redis 6.2 or later (or Valkey), or PostgreSQL 12 or later, and the address of the primary",
        subject: { evidence in
            evidence.queue.flatMap { queue in queue.server.map { (engine: queue.engine, server: $0) } }
        }
    ) { engine, server in
        let name = "\(engine.rawValue) \(server.version)"
        if server.isCluster {
            return .fail(
                "\(name) is a node of a cluster, which spreads the keys of a queue",
                next: "use one Redis server, with Sentinel for failover")
        }
        guard !server.isSentinel else {
            return .fail(
                "\(name) is a sentinel, which has no jobs",
                next: "add sentinel=NAME to the URL, with the name of the master that it watches")
        }
        guard server.takesWrites else {
            guard engine == .postgresql else { return .fail("\(name) is a replica and takes no writes") }
            return .fail(
                "\(name) takes no writes of this role: it is a standby, or default_transaction_read_only is on",
                next: "use the address of the primary, or set default_transaction_read_only off for server and role")
        }
        let parts = server.version.split { !$0.isNumber }.compactMap { Int($0) }
        let needed = engine == .redis ? [6, 2] : [12]
        guard let major = parts.first else { return .skip("the version \(server.version) is not a number") }
        let isOld =
            major < needed[0] || major == needed[0] && needed.count > 1 && (parts.count > 1 ? parts[1] : 0) < needed[1]
        guard !isOld else { return .fail("\(name) is too old") }
        return .pass("\(name) is no replica")
    }
}
