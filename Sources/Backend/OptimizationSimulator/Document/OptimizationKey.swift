/// A key of the configuration: the reader, its messages and the table in the documentation use the same list.
package struct OptimizationKey: Hashable, Sendable {
    /// The kind of mapping that has the key.
    package enum Place: String, Hashable, Sendable, CaseIterable {
        case document, limits
        case audience = "audiences[]"
        case condition = "audiences[].when[]"
        case fault = "faults[]"
    }

    package let place: Place
    package let name: String
    package let meaning: String

    private init(_ place: Place, _ name: String, _ meaning: String) {
        self.place = place
        self.name = name
        self.meaning = meaning
    }

    package static func names(in place: Place) -> [String] { all.filter { $0.place == place }.map(\.name) }

    package static let all: [OptimizationKey] = [
        OptimizationKey(
            .document, "client-id",
            "in the paths of the profile and the analytics service; follows from the seed when absent"),
        OptimizationKey(.document, "environment", "in all paths; `master` when absent"),
        OptimizationKey(.document, "space", "in the paths of the delivery service; follows from the seed when absent"),
        OptimizationKey(.document, "access-token", "of the delivery service; follows from the seed when absent"),
        OptimizationKey(
            .document, "entries",
            "at most 100 files with a delivery reply, an array of entries or one entry; relative to this file"),
        OptimizationKey(.document, "locales", "of the entries, the first is the default; `[en-US]` when absent"),
        OptimizationKey(.document, "audiences", "at most 1,000 audiences with who belongs to them"),
        OptimizationKey(
            .document, "locations",
            "by address: what `ip-enrichment` finds for the header `X-Force-IP`, at most 10,000"),
        OptimizationKey(
            .document, "strict-events",
            "true: an event without `channel`, `context`, `messageId` or one of its three times is refused"),
        OptimizationKey(.document, "seed", "whole number from 0 on for ids, random numbers and faults"),
        OptimizationKey(.document, "limits", "how much the services keep and answer"),
        OptimizationKey(.document, "faults", "fault rules, as for `POST /api/faults`"),

        OptimizationKey(.audience, "id", "required; the `nt_audience_id`"),
        OptimizationKey(.audience, "name", "the id when absent"),
        OptimizationKey(.audience, "when", "at most 50 conditions; all must hold; everybody when absent"),

        OptimizationKey(.condition, "trait", "a trait, or a value in it with a dotted path"),
        OptimizationKey(.condition, "location", "a key of the location, such as `countryCode`"),
        OptimizationKey(
            .condition, "session", "`count`, `isReturningVisitor`, `activeSessionLength`, `landingPage.url`"),
        OptimizationKey(
            .condition, "event", "the name of a `track` event or a type such as `page`; its value is how often it came"),
        OptimizationKey(.condition, "equals", "text"),
        OptimizationKey(.condition, "in", "a list of texts"),
        OptimizationKey(.condition, "exists", "true or false"),
        OptimizationKey(.condition, "greater", "two numbers by their values, two texts by their characters"),
        OptimizationKey(.condition, "less", "the same"),

        OptimizationKey(.limits, "profiles", "profiles kept; 100,000 when absent"),
        OptimizationKey(.limits, "events", "events kept; 200,000 when absent"),
        OptimizationKey(.limits, "event-bytes", "of the events kept, as text; 268,435,456 when absent"),
        OptimizationKey(
            .limits, "message-ids", "message ids known for repeats; 500,000 when absent, at least as many as events"),
        OptimizationKey(
            .limits, "requests-per-profile", "requests a minute for one profile, then 429; no limit when absent"),
        OptimizationKey(
            .limits, "entries-per-second", "requests for entries, then 429; no limit when absent, the vendor's is 55"),

        OptimizationKey(
            .fault, "match", "`{path: profiles}`, `events`, `analytics` or `entries`; all four when absent"),
        OptimizationKey(
            .fault, "effect",
            "required: `{status: 503}` (with `retry-after: 5s` if wanted), `{delay: 2s}`, `{lose-answer: true}` or "
                + "`{silence: true}`"),
        OptimizationKey(.fault, "count", "how often; without limit when absent"),
        OptimizationKey(.fault, "probability", "0 to 1; 1 when absent"),
    ]

    /// The table for the documentation, in Markdown.
    package static var table: String {
        var lines = ["| in | key | meaning |", "|---|---|---|"]
        for key in all { lines.append("| `\(key.place.rawValue)` | `\(key.name)` | \(key.meaning) |") }
        return lines.joined(separator: "\n") + "\n"
    }
}
