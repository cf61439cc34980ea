extension DoctorCheck {
    static let clockSynchronized = DoctorCheck(
        id: "clock-synchronized", layer: .clock,
        summary: "A time service keeps the clock right.",
        cause: "No time service runs, or it reaches no server. A container has the clock of its host.",
        next: "start a time service on the host: timedatectl set-ntp true, or chronyd",
        subject: {
            $0.clock.flatMap { $0.kernel.seen(or: "this system does not say whether its clock is synchronized") }
        }
    ) { kernel in
        guard kernel.isSynchronized else {
            return .warn(
                "the kernel says that nothing keeps the clock synchronized; clock-offset says whether it is right")
        }
        let bound = Double(kernel.maximumError) / 1_000_000
        guard bound < 5 else {
            return .warn("the clock is synchronized, and may be wrong by \(Int64(bound)) s by the kernel's bound")
        }
        return .pass(
            "the clock is synchronized, by the kernel's bound to within \(max(1, kernel.maximumError / 1000)) ms")
    }
}
