/// The tables of `docs/sending-faults.md`, made of the cases that the tests run.
enum SendingFaultsPage {
    struct NoMark: Error, CustomStringConvertible {
        let description: String
    }

    private struct Row {
        var name: String
        var ending: Ending
        var usesCertificate: Bool
    }

    /// The page with its tables put between their marks.
    static func filled(_ page: String) throws -> String {
        var page = page
        let http2 = [
            ("opening", HostileCase.opening), ("frames", HostileCase.frames), ("floods", HostileCase.floods),
            ("heads", HostileCase.heads), ("answers", HostileCase.answers), ("ends", HostileCase.ends),
        ].map { ($0, $1.map { Row(name: $0.name, ending: $0.ending, usesCertificate: $0.usesCertificate) }) }
        let tls = [
            ("tcp", HostileTLSCase.tcp), ("certificates", HostileTLSCase.certificates),
            ("handshakes", HostileTLSCase.handshakes), ("records", HostileTLSCase.records),
        ].map { ($0, $1.map { Row(name: $0.name, ending: $0.ending, usesCertificate: $0.usesCertificate) }) }
        for (name, rows) in tls + http2 {
            let (begin, end) = ("<!-- table \(name) -->\n", "<!-- end \(name) -->")
            guard let start = page.firstRange(of: begin), let stop = page.firstRange(of: end),
                start.upperBound <= stop.lowerBound
            else { throw NoMark(description: "the page has no mark for the table \(name)") }
            page.replaceSubrange(start.upperBound..<stop.lowerBound, with: "\n\(table(rows))\n")
        }
        return page
    }

    private static func table(_ rows: [Row]) -> String {
        let lines = rows.map { row in
            let name = row.usesCertificate ? "\(row.name) ᶜ" : row.name
            return "| \(name) | \(row.ending.result.text) | \(row.ending.message) | \(row.ending.bound.text) | "
                + "\(row.ending.isKept ? "kept" : "ended") |"
        }
        return
            ([
                "| the server sends or does | outcome | reason or message | when | connection |",
                "|---|---|---|---|---|",
            ]
            + lines).joined(separator: "\n") + "\n"
    }
}
