extension DoctorCheck {
    static let clockPlausible = DoctorCheck(
        id: "clock-plausible", layer: .clock,
        summary: "The clock shows a time that can be.",
        cause: "The machine started without a battery clock and without a time server.",
        next: "set the clock, and keep it right with a time service (chrony, systemd-timesyncd)",
        subject: \.clock
    ) { clock in
        let text = UTCDateText.text(clock.now)
        guard (ClockEvidence.earliest..<ClockEvidence.latest).contains(clock.now) else {
            return .fail("this machine says that it is \(text)")
        }
        return .pass("this machine says that it is \(text)")
    }
}
