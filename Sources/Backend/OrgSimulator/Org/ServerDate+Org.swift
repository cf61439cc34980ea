import SelectiveSync

extension ServerDate {
    /// Clamps to the ends of the range instead of overflowing.
    func adding(milliseconds: Int64) -> ServerDate {
        let (sum, overflow) = millisecondsSince1970.addingReportingOverflow(milliseconds)
        return ServerDate(millisecondsSince1970: overflow ? (milliseconds < 0 ? .min : .max) : sum)
    }

    var next: ServerDate { adding(milliseconds: 1) }

    /// Rounds down to the minute, because lists of changes ignore seconds.
    var wholeMinute: ServerDate { flooring(to: 60_000) }

    /// The number of the UTC clock hour.
    var hour: Int64 { flooring(to: 3_600_000).millisecondsSince1970 / 3_600_000 }

    /// The number of the UTC day.
    var day: Int64 { flooring(to: OrgSettings.day).millisecondsSince1970 / OrgSettings.day }

    private func flooring(to unit: Int64) -> ServerDate {
        let rest = millisecondsSince1970 % unit
        return adding(milliseconds: rest < 0 ? -unit - rest : -rest)
    }
}
