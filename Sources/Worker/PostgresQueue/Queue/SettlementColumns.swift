internal import PostgresClient
internal import PushQueue

/// Settlements as the parameters of a statement. Of several for the same job, the first one counts.
struct SettlementColumns {
    let ids: String
    let isPlain: Bool
    let hasResults: Bool
    /// In the order of `QueueStatements.settle`.
    let parameters: [String?]

    init(_ settlements: [Settlement], stream: String) {
        var ids: [Int64] = []
        var known: Set<Int64> = []
        var feedback = Lines()
        var dead = Kept()
        var later = Kept()
        var due = DueColumns()
        var again = Kept()
        var results = Lines()
        for settlement in settlements {
            guard settlement.job.stream == stream, let id = Int64(settlement.job.entry), known.insert(id).inserted
            else {
                continue
            }
            ids.append(id)
            for line in settlement.feedback { feedback.append(id, line) }
            for entry in settlement.dead { dead.append(id, entry.content, entry.reason, entry.why) }
            for entry in settlement.later {
                later.append(id, entry.content, entry.reason, entry.why)
                due.append(entry.due)
            }
            for content in settlement.again { again.append(id, content, "", "") }
            for line in settlement.results { results.append(id, line) }
        }
        self.ids = PostgresArray.text(ids)
        isPlain = [feedback.jobs, dead.jobs, later.jobs, again.jobs, results.jobs].allSatisfy(\.isEmpty)
        hasResults = !results.jobs.isEmpty
        guard !isPlain else {
            parameters = []
            return
        }
        var all: [String?] = [self.ids]
        all += feedback.parameters
        all += dead.parameters
        all += later.parameters
        all += due.parameters
        all += again.parameters.dropLast(2)
        all += results.parameters
        parameters = all
    }

    private struct Lines {
        var jobs: [Int64] = []
        var lines: [String?] = []

        mutating func append(_ job: Int64, _ line: String) {
            jobs.append(job)
            lines.append(line)
        }

        var parameters: [String?] { [PostgresArray.text(jobs), PostgresArray.text(lines)] }
    }

    private struct Kept {
        var jobs: [Int64] = []
        var columns = JobColumns()
        var reasons: [String?] = []
        var sentences: [String?] = []

        mutating func append(_ job: Int64, _ content: JobContent, _ reason: String, _ why: String) {
            jobs.append(job)
            columns.append(content)
            reasons.append(Kept.storable(reason))
            sentences.append(Kept.storable(why))
        }

        /// PostgreSQL stores no zero byte, and a reason comes from outside.
        private static func storable(_ text: String) -> String {
            guard text.utf8.contains(0) else { return text }
            return String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
        }

        var parameters: [String?] {
            [PostgresArray.text(jobs)] + columns.parameters + [
                PostgresArray.text(reasons), PostgresArray.text(sentences),
            ]
        }
    }
}
