extension DoctorCheck {
    static let queueReached = DoctorCheck(
        id: "queue-reached", layer: .queue,
        summary: "The engine of the queue can be reached, and accepts user and password.",
        cause: "The address or the password is wrong, the engine does not run, or a firewall lies between.",
        next: "check the address with redis-cli or psql from this machine",
        subject: \.queue
    ) { queue in
        guard let failure = queue.failure else { return .pass("\(queue.engine.rawValue) at \(queue.address) answers") }
        return .fail("\(queue.engine.rawValue) at \(queue.address): \(failure)")
    }
}
