/// What a run has done and found: its trace, the violations and what is counted.
///
/// @unchecked: only the thread of the simulation uses it.
final class RunJournal: @unchecked Sendable {
    private static let maximumViolations = 20

    private let timeline: Timeline
    private let recordsTrace: Bool
    private(set) var lines: [String] = []
    private(set) var violations: [String] = []
    private(set) var counts: [SimulationReport.Kind: Int] = [:]

    init(_ timeline: Timeline, recordsTrace: Bool) {
        self.timeline = timeline
        self.recordsTrace = recordsTrace
    }

    func trace(_ text: @autoclosure () -> String) {
        if recordsTrace { lines.append("\(clockText)  \(text())") }
    }

    func reportViolation(_ text: String) {
        guard violations.count < RunJournal.maximumViolations else { return }
        violations.append("\(clockText)  \(text)")
        trace("VIOLATION: \(text)")
    }

    func count(_ kind: SimulationReport.Kind, _ number: Int) { counts[kind, default: 0] += number }

    /// Hours, minutes, seconds and milliseconds since the start.
    private var clockText: String {
        let now = timeline.now
        let parts = [now / 3_600_000, now / 60_000 % 60, now / 1_000 % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        let rest = String(now % 1_000 + 1_000).dropFirst()
        return parts.joined(separator: ":") + ".\(rest)"
    }
}
