extension DoctorCheck {
    static let queueMemory = DoctorCheck(
        id: "queue-memory", layer: .queue,
        summary: "A full Redis refuses writes instead of removing jobs, and has memory left.",
        cause: "maxmemory-policy is that of a cache.",
        next: "set maxmemory-policy noeviction, and use a Redis of its own for the queue",
        subject: { $0.queue.flatMap(\.memory) }
    ) { memory in
        let share = memory.limit > 0 ? memory.used * 100 / memory.limit : nil
        let used = share.map { "\($0) % of maxmemory is used" } ?? "there is no maxmemory"
        guard memory.policy == "noeviction" else {
            let seen = "maxmemory-policy is \(memory.policy), and \(used)"
            return memory.limit > 0
                ? .fail("\(seen): the engine removes keys when it is full, and jobs may be among them")
                : .warn("\(seen): it has an effect as soon as maxmemory is set")
        }
        guard (share ?? 0) < 100 else {
            return .fail("\(used): the engine refuses jobs", next: "add workers or memory")
        }
        guard (share ?? 0) < 80 else {
            return .warn("\(used); a full engine refuses jobs", next: "add workers or memory")
        }
        return .pass("maxmemory-policy is noeviction, and \(used)")
    }
}
