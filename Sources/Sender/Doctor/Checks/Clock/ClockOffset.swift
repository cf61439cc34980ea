extension DoctorCheck {
    static let clockOffset = DoctorCheck(
        id: "clock-offset", layer: .clock,
        summary: "The clock agrees with the Date of an HTTPS answer.",
        cause: "Nothing corrects the clock, or a virtual machine was paused or restored.",
        next: "set the clock, and keep it right with a time service (chrony, systemd-timesyncd)",
        subject: \.date
    ) { date in
        switch date.answer {
        case .certificateOutOfTime(let detail):
            return .fail("at the time of this machine the certificate of \(date.host) is not valid: \(detail)")
        case .date(let server, let machine, let uncertainty):
            let offset = machine - server
            let bound = "measured to within \(uncertainty) s"
            guard abs(offset) > uncertainty else { return .pass("it agrees with the Date of \(date.host), \(bound)") }
            let difference =
                "it is \(UTCDateText.duration(offset)) \(offset > 0 ? "ahead of" : "behind") the Date of \(date.host), \(bound)"
            // APNs refuses provider tokens that are off by more than an hour (docs/reference/apns.md 4.1), and a token may be 50
            // minutes old when it is sent.
            switch abs(offset) {
            case ..<60: return .pass(difference)
            case ..<600: return .warn(difference)
            default: return .fail("\(difference); APNs refuses provider tokens whose time is wrong by an hour")
            }
        }
    }
}
