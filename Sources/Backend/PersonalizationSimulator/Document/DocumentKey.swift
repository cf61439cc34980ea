/// A key of the configuration: the reader, its messages and the table in the documentation use the same list.
package struct DocumentKey: Hashable, Sendable {
    /// The kind of mapping that has the key.
    package enum Place: String, Hashable, Sendable, CaseIterable {
        case document, limits
        case point = "points[]"
        case decision = "points[].decisions[]"
        case recommender = "recommend"
        case condition = "when[], where[]"
        case experiment
        case share = "experiment.shares[]"
        case individual = "individuals[]"
        case appSource = "app-sources[]"
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

    package static let all: [DocumentKey] = [
        DocumentKey(.document, "dataspaces", "names of at most 16 data spaces; `[default]` when absent"),
        DocumentKey(
            .document, "app-source-id",
            "UUID in the paths for events; follows from the seed when absent; feeds every data space"),
        DocumentKey(.document, "app-sources", "at most 100 further app sources, each for one data space"),
        DocumentKey(.document, "access-token", "for the paths with sign-on; follows from the seed when absent"),
        DocumentKey(.document, "reply", "`reference` (default) or `guide`: with more keys in each element"),
        DocumentKey(.document, "seed", "whole number from 0 on for ids, experiments and faults"),
        DocumentKey(.document, "limits", "how much the service keeps and answers"),
        DocumentKey(
            .document, "items",
            "by type, at most 100 types with 10,000 items each; an item has text values and one of "
                + "`ssot__Id__c`, `ssot__ProductSKU__c`, `id`"),
        DocumentKey(.document, "points", "at most 1,000 personalization points"),
        DocumentKey(.document, "individuals", "at most 100,000 people who are known from the start"),
        DocumentKey(.document, "faults", "fault rules, as for `POST /api/faults`"),

        DocumentKey(.limits, "requests-per-minute", "decision requests; 60,000 when absent, then 429"),
        DocumentKey(.limits, "people", "individuals kept; 100,000 when absent"),
        DocumentKey(.limits, "decisions", "decisions kept; 100,000 when absent"),
        DocumentKey(.limits, "events", "events kept; 200,000 when absent"),
        DocumentKey(.limits, "event-bytes", "of the events kept, as text; 268,435,456 when absent"),
        DocumentKey(
            .limits, "event-ids", "event ids known for repeats; 500,000 when absent, at least as many as events"),
        DocumentKey(.limits, "experiment-people", "people noted in all experiments together; 500,000 when absent"),
        DocumentKey(.limits, "content-bytes", "of the items of one decision; 65,536 when absent, then diagnostic 533"),

        DocumentKey(.point, "name", "required; what an app asks for"),
        DocumentKey(.point, "id", "begins `9pp`; made when absent"),
        DocumentKey(.point, "graph", "the profile graph that it reads; `main` when absent"),
        DocumentKey(.point, "dataspace", "`default` when absent"),
        DocumentKey(.point, "sign-on", "true: only with an access token"),
        DocumentKey(
            .point, "landing",
            "whether the open of a push counts for the next decision here; true for `notification_landing_recs`"),
        DocumentKey(.point, "decisions", "at most 25, by priority: the first whose conditions hold"),
        DocumentKey(.point, "experiment", "comes before the decisions"),

        DocumentKey(.decision, "id", "required; its name in this document"),
        DocumentKey(.decision, "when", "at most 50 conditions; all must hold"),
        DocumentKey(.decision, "content", "fixed content: text values by name"),
        DocumentKey(.decision, "recommend", "a recommender"),

        DocumentKey(.recommender, "type", "required; a type of `items`"),
        DocumentKey(.recommender, "limit", "1 to 24; 24 when absent"),
        DocumentKey(.recommender, "where", "at most 50 filters on `field`; all must hold"),
        DocumentKey(
            .recommender, "order",
            "`listed` (default), `co-viewed` (most viewed together with the anchor item first) or `viewed` (the "
                + "person's own views, newest first)"),
        DocumentKey(.recommender, "fill", "false: no other items than viewed ones with `co-viewed` and `viewed`"),
        DocumentKey(.recommender, "omit-anchor", "true: without the anchor item; always so with `co-viewed`"),

        DocumentKey(.condition, "attribute", "of the person; a context value of the same name wins"),
        DocumentKey(.condition, "context", "a value of the request, or a parameter of its `requestUrl`"),
        DocumentKey(.condition, "field", "of the item; in `when` of the anchor item"),
        DocumentKey(
            .condition, "equals", "text, or `{context: NAME}`, `{attribute: NAME}`, `{anchor: FIELD}`"),
        DocumentKey(.condition, "in", "a list of them"),
        DocumentKey(.condition, "exists", "true or false"),
        DocumentKey(.condition, "greater", "as `equals`; two numbers by their values, two texts by their characters"),
        DocumentKey(.condition, "less", "the same"),

        DocumentKey(.experiment, "id", "required"),
        DocumentKey(.experiment, "shares", "required; people outside of them get the control"),
        DocumentKey(.experiment, "when", "who takes part; everybody when absent"),

        DocumentKey(.share, "share", "0 to 1; the sum is at most 1"),
        DocumentKey(.share, "decision", "the id of a decision of the point, or `control`: no content"),

        DocumentKey(.individual, "id", "required; may be a device id"),
        DocumentKey(.individual, "email", "an identity event with it joins"),
        DocumentKey(.individual, "user-id", "an identity event with it joins"),
        DocumentKey(.individual, "dataspace", "where this person is known; in every data space when absent"),
        DocumentKey(.individual, "attributes", "text values by name, at most 100"),

        DocumentKey(.appSource, "id", "required; a UUID"),
        DocumentKey(.appSource, "dataspace", "required; the data space of its events"),

        DocumentKey(.fault, "match", "`{path: decisions}` or `{path: events}`; both when absent"),
        DocumentKey(
            .fault, "effect",
            "required: `{status: 503}` (with `retry-after: 5s` if wanted), `{delay: 2s}`, `{lose-answer: true}` or "
                + "`{silence: true}`"),
        DocumentKey(.fault, "count", "how often; without limit when absent"),
        DocumentKey(.fault, "probability", "0 to 1; 1 when absent"),
    ]

    /// The table for the documentation, in Markdown.
    package static var table: String {
        var lines = ["| in | key | meaning |", "|---|---|---|"]
        for key in all {
            let place = key.place.rawValue.replacing("[], where[]", with: "[]`, `where[]")
            lines.append("| `\(place)` | `\(key.name)` | \(key.meaning) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
