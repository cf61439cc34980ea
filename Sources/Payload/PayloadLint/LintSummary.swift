package import APNSPayload

/// The numbers of a run: what was checked and found.
package struct LintSummary: Hashable, Sendable {
    package var notifications = 0
    package var files = 0
    package var filesWithFindings = 0
    /// Findings of the severity `fail-on` of their file, or higher.
    package var failing = 0
    package var fixable = 0
    package var fixed = 0
    /// Findings that a suppression ignores, and findings of the baseline.
    package var suppressed = 0
    package var known = 0
    /// Files that were left out, because they have not changed.
    package var unchanged = 0
    /// Files, lines and steps that failed, such as a path that does not exist.
    package var failures = 0
    private var counts = [Int](repeating: 0, count: Severity.allCases.count)

    package init() {}

    package mutating func add(_ findings: [LocatedFinding], failOn: Severity) {
        for located in findings {
            counts[LintSummary.place(of: located.finding.severity)] += 1
            if located.finding.severity >= failOn { failing += 1 }
            if located.isFixable { fixable += 1 }
        }
    }

    /// Adds what was found elsewhere. The number of files is left out, because both may be about the same file.
    package mutating func add(_ other: LintSummary) {
        for place in counts.indices { counts[place] += other.counts[place] }
        failing += other.failing
        fixable += other.fixable
    }

    package func count(of severity: Severity) -> Int { counts[LintSummary.place(of: severity)] }

    private static func place(of severity: Severity) -> Int {
        switch severity {
        case .error: 0
        case .warning: 1
        case .note: 2
        }
    }

    /// One line without its end: `4 notifications in 3 files checked: 3 errors, 1 warning in 2 files; 1 can be fixed …`.
    /// It never says that there are no findings where nothing was checked because of a failure.
    package var text: String {
        let failed = LintSummary.counted(failures, "failure")
        let found = Severity.allCases.filter { count(of: $0) > 0 }.map { severity in
            LintSummary.counted(count(of: severity), severity.rawValue)
        }
        guard failures == 0 || notifications > 0 || !found.isEmpty else { return "nothing was checked: \(failed)" }
        var text =
            "\(LintSummary.counted(notifications, "notification")) in \(LintSummary.counted(files, "file")) checked: "
        if found.isEmpty {
            text += "no findings"
        } else {
            text += found.joined(separator: ", ") + " in \(LintSummary.counted(filesWithFindings, "file"))"
        }
        if fixed > 0 { text += "; \(fixed) fixed" }
        if fixable > 0 { text += "; \(fixable) can be fixed with --fix" }
        if known > 0 { text += "; \(known) in the baseline" }
        if suppressed > 0 { text += "; \(suppressed) suppressed" }
        if unchanged > 0 { text += "; \(LintSummary.counted(unchanged, "unchanged file")) left out" }
        if failures > 0 { text += "; \(failed)" }
        return text
    }

    package static func counted(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }
}
