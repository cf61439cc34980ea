extension DoctorCheck {
    static let queueBacklog = DoctorCheck(
        id: "queue-backlog", layer: .queue,
        summary:
            "Workers can use the queue, and keep up: the oldest job is younger than five minutes, each lane is read, and none "
            + "is dead.",
        cause:
            "No worker runs or none has the lane in its --lane, all of them wait for a paused tenant, or there are too few; "
            + "or the queue has no tables, its user lacks rights, its keys are another program's, or its server takes no "
            + "writes.",
        next: "look at apns worker status and the log of the workers; apns worker dead lists what no worker could send",
        subject: { $0.queue.flatMap(\.backlog) }
    ) { backlog in
        guard backlog.problems.isEmpty else {
            return .fail(
                backlog.problems.joined(separator: "; "),
                next: "give queue, user and server the tables or keys, rights and settings that docs/queue.md lists")
        }
        let numbers = "\(backlog.backlog) jobs wait, \(backlog.pending) are being sent, \(backlog.dead) are dead"
        let counts = ([numbers] + backlog.unreadLanes).joined(separator: "; ")
        if let oldest = backlog.oldest, backlog.backlog > 0, oldest >= 300 {
            return .fail("\(counts); the oldest has waited for \(UTCDateText.duration(oldest))")
        }
        guard backlog.dead == 0, backlog.unreadLanes.isEmpty else { return .warn(counts) }
        return .pass(counts)
    }
}
