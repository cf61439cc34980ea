import PayloadJSON
import Simulation

/// The result of a simulated run as text.
enum SimulateText {
    static func replay(_ report: SimulationReport) -> String {
        let world = report.worlds.count == 1 ? " --world \(report.worlds[0].rawValue)" : ""
        return "\(ShellText.command) simulate --seed \(report.seed)\(world) --trace"
    }

    static func text(_ report: SimulationReport) -> String {
        let counts = SimulationReport.Kind.allCases.compactMap { kind in
            report.counts[kind].map { "  \(padded("\($0)", 7))  \(kind.rawValue.replacing("-", with: " "))" }
        }
        var lines = [
            "seed \(report.seed): \(hours(report.simulatedMilliseconds)) of simulated time, "
                + "\(report.jobs) steps of the app's code"
        ]
        lines += counts
        if report.isGood {
            lines.append("All checks passed.")
        } else {
            lines.append("These checks failed:")
            lines += report.violations.map { "  \($0)" }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    static func json(_ report: SimulationReport) -> String {
        let counts = SimulationReport.Kind.allCases.map { "\"\($0.rawValue)\":\(report.counts[$0] ?? 0)" }
        let violations = report.violations.map { JSONWriter.quoted($0) }.joined(separator: ",")
        return "{\"seed\":\(report.seed),\"good\":\(report.isGood),\"faults\":[\(violations)],"
            + "\"simulated-milliseconds\":\(report.simulatedMilliseconds),\"jobs\":\(report.jobs),"
            + "\"counts\":{\(counts.joined(separator: ","))},\"replay\":\(JSONWriter.quoted(replay(report)))}"
    }

    static func hours(_ milliseconds: Int64) -> String {
        let minutes = milliseconds / 60_000
        return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
