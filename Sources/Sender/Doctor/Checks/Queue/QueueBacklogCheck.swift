extension DoctorCheck {
    static let queueBacklog = DoctorCheck(
        id: "queue-backlog", layer: .queue,
        summary: "Workers keep up: the oldest job is younger than five minutes, and none is dead.",
        cause: "No worker runs, all of them wait for a paused tenant, or there are too few.",
        next: "look at apns worker status and the log of the workers; apns worker dead lists what no worker could send",
        subject: { $0.queue.flatMap(\.backlog) }
    ) { backlog in
        let counts = "\(backlog.backlog) jobs wait, \(backlog.pending) are being sent, \(backlog.dead) are dead"
        if let oldest = backlog.oldest, backlog.backlog > 0, oldest >= 300 {
            return .fail("\(counts); the oldest has waited for \(UTCDateText.duration(oldest))")
        }
        guard backlog.dead == 0 else { return .warn(counts) }
        return .pass(counts)
    }
}
