import Simulation

/// The measured plans as a table in Markdown.
struct StalenessTable {
    let seeds: UInt64

    private struct Row {
        let name: String
        let plan: StalenessPlan

        init(_ changesPerHour: Int, _ syncMinutes: Int, _ every: String, pushes: Bool) {
            name =
                "\(changesPerHour) | \(pushes ? "pushes, and a sync every \(every)" : "polling: a sync every \(every)")"
            plan = StalenessPlan(syncMinutes: syncMinutes, pushes: pushes, changesPerHour: changesPerHour)
        }
    }

    private static let rows = [1, 4].flatMap { rate in
        [
            Row(rate, 15, "15 minutes", pushes: false), Row(rate, 60, "hour", pushes: false),
            Row(rate, 60, "hour", pushes: true), Row(rate, 1_440, "day", pushes: true),
        ]
    }

    /// Measures each plan and prints its row.
    ///
    /// - Returns: Whether everything held in all runs.
    func show() async throws -> Bool {
        print(
            "| changes an hour | devices learn by | own changes: median | 95 % | longest | changes of others: median "
                + "| 95 % | longest | requests | records | wakes |")
        print("|" + String(repeating: "---|", count: 11))
        var violations: [String] = []
        for row in StalenessTable.rows {
            let report = try await Simulation.measure(row.plan, seeds: 1...seeds)
            let ages =
                [report.own.percentile(50), report.own.percentile(95), report.own.percentile(100)]
                + [report.others.percentile(50), report.others.percentile(95), report.others.percentile(100)]
            let costs = [report.requests, report.records, report.wakes].map { cost in
                "\((cost + report.deviceDays / 2) / report.deviceDays)"
            }
            print(
                "| \(row.name) | " + (ages.map(StalenessTable.text) + costs).joined(separator: " | ") + " |")
            violations += report.violations
        }
        for violation in violations.prefix(StalenessTable.maximumViolations) { print(violation) }
        let more = violations.count - StalenessTable.maximumViolations
        if more > 0 { print("and \(more) more") }
        return violations.isEmpty
    }

    private static let maximumViolations = 20

    private static func text(_ milliseconds: Int64?) -> String {
        guard let milliseconds else { return "none" }
        if milliseconds < 60_000 { return "\(milliseconds / 1_000).\(milliseconds / 100 % 10) s" }
        let minutes = milliseconds / 60_000
        return minutes < 120 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }
}
