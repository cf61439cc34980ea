import APNSModel
import GatewayCore

/// The tables of `docs/reasons.md`, made of what the tests do.
enum ReasonsPage {
    struct NoMark: Error, CustomStringConvertible {
        let description: String
    }

    /// The page with its tables put between their marks.
    static func filled(_ page: String) throws -> String {
        var page = page
        for (name, table) in [
            ("device", table(of: Reason.deviceReasons.map(\.reason))),
            ("broadcast", table(of: Reason.broadcastReasons.map(\.reason))), ("contested", contested),
        ] {
            let (begin, end) = ("<!-- table \(name) -->\n", "<!-- end \(name) -->")
            guard let start = page.firstRange(of: begin), let stop = page.firstRange(of: end),
                start.upperBound <= stop.lowerBound
            else { throw NoMark(description: "the page has no mark for the table \(name)") }
            page.replaceSubrange(start.upperBound..<stop.lowerBound, with: "\n\(table)\n")
        }
        return page
    }

    static func rule(for reason: Reason) -> String {
        #"{"effect":{"refuse":{"reason":"\#(reason.code)"}},"count":1}"#
    }

    static func goAwayRule(for reason: Reason) -> String {
        #"{"effect":{"goaway":{"reason":"\#(reason.code)","last-stream":"previous"}},"count":1}"#
    }

    private static func table(of reasons: [Reason]) -> String {
        var rows = ["| reason | status | by state, clock, key or request | fault rule |", "|---|---|---|---|"]
        for reason in reasons {
            let ways = Provocation.all.filter { $0.reason == reason }
            let hows = ways.map { $0.how + ($0.isGoAway ? " (GOAWAY)" : "") }
            rows.append(
                "| `\(reason.code)` | \(reason.status) | \(hows.joined(separator: "; ")) | `\(rule(for: reason))` |")
        }
        return rows.joined(separator: "\n") + "\n"
    }

    private static let contested: String = {
        var rows = ["| row | question | `name=value`, the default first |", "|---|---|---|"]
        for setting in ContestedSetting.all {
            let sides = setting.sides.map { "`\(setting.name)=\($0.word)` \($0.does)" }.joined(separator: "; ")
            rows.append("| \(setting.row == 0 ? "" : "\(setting.row)") | \(setting.question) | \(sides) |")
        }
        return rows.joined(separator: "\n") + "\n"
    }()
}
