package import APNSPayload

/// The rules about entries of the content type `nt_experience` (docs/reference/personalization.md 10.2 and 13).
package enum ExperienceRule {
    package static let all: [Rule] = [
        file, requiredField, localeMap, kind, traffic, trafficZero, shareValue, sharesSum, component, variantMissing,
        variantUnresolved, indexUnreachable, tooManyShares, audienceMissing, duplicateID, linkUnresolved, baseline,
    ]

    static let file = rule(
        "experience-file", .error, "A file has a delivery reply, an array of entries, or one entry.",
        "Nothing else can be checked.", passes: #"{"items":[]}"#, fails: #"{"entries":[]}"#)

    static let requiredField = rule(
        "experience-required-field", .error, "An experience has `nt_experience_id`, `nt_type` and `nt_config`.",
        "An experience without them is not complete, and clients leave it out.",
        fails: experience(#""nt_type":"nt_experiment","nt_config":{}"#))

    static let localeMap = rule(
        "experience-locale-map", .error, "Fields are values, not maps by locale.",
        "Clients read entries of one locale. In an entry with maps they find nothing, and show the baseline.",
        fails: experience(#""nt_experience_id":{"en-US":"exp-1"}"#))

    static let kind = rule(
        "experience-type", .warning, "`nt_type` is `nt_experiment` or `nt_personalization`.",
        "Other words have no meaning.",
        fails: experience(#""nt_experience_id":"exp-1","nt_type":"experiment","nt_config":{"traffic":1}"#))

    static let traffic = rule(
        "experience-traffic", .error, "`traffic` is a number from 0 to 1.",
        "A profile is in if the traffic is greater than its number, which is from 0 to 1.",
        fails: configured(#""traffic":50"#))

    static let trafficZero = rule(
        "experience-traffic-zero", .warning, "`traffic` is greater than 0.",
        "Without traffic nobody is in the experience. It is 0 when absent.", fails: configured(""))

    static let shareValue = rule(
        "experience-share-value", .error, "Each share of `distribution` is a number from 0 to 1.",
        "Ranges are the running sums of the shares.", fails: configured(#""traffic":1,"distribution":[50,50]"#))

    static let sharesSum = rule(
        "experience-shares-sum", .error, "The shares of `distribution` sum to 1.",
        "Below 1 the rest of the people gets the baseline. Above 1 the last variants get less than their share.",
        passes: configured(#""traffic":1,"distribution":[0.5,0.5]"#),
        fails: configured(#""traffic":1,"distribution":[0.5,0.4]"#))

    static let component = rule(
        "experience-component", .error,
        "A component is an `EntryReplacement` with `baseline.id` or an `InlineVariable` with `key`.",
        "Clients leave out a component of another form.",
        fails: configured(#""traffic":1,"components":[{"type":"EntryReplacement"}]"#))

    static let variantMissing = rule(
        "experience-variant-missing", .error, "Each share after the first has a variant in each component.",
        "Who falls into a share without a variant sees the baseline, and counts as one who saw the variant.",
        fails:
            configured(
                #""traffic":1,"distribution":[0.5,0.5],"components":[{"baseline":{"id":"a"},"variants":[]}]"#))

    static let variantUnresolved = rule(
        "experience-variant-unresolved", .error,
        "Each variant of an `EntryReplacement` is in `nt_variants`, with its fields.",
        "Clients look for the variant there. A link whose entry did not come along shows the baseline.",
        fails: configured(
            #""traffic":1,"distribution":[0.5,0.5],"components":[{"baseline":{"id":"a"},"variants":[{"id":"gone"}]}]"#,
            more: #","nt_variants":[{"sys":{"type":"Link","linkType":"Entry","id":"gone"}}]"#))

    static let indexUnreachable = rule(
        "experience-index-unreachable", .warning, "Each variant has a share greater than 0.",
        "Nobody gets a variant without a share.",
        fails: configured(
            #""traffic":1,"distribution":[1,0],"components":[{"baseline":{"id":"a"},"variants":[{"id":"b"}]}]"#))

    static let tooManyShares = rule(
        "experience-too-many-shares", .warning, "`distribution` has at most 1000 shares.",
        "The simulated service refuses an experience with more.",
        fails: configured(#""traffic":1,"distribution":["# + String(repeating: "0,", count: 1000) + "0]"))

    static let audienceMissing = rule(
        "experience-audience-missing", .error, "The entry of `nt_audience` is there and has `nt_audience_id`.",
        "Without it nobody is known to be in the audience, so nobody gets the experience.",
        fails: configured(
            #""traffic":1"#, more: #","nt_audience":{"sys":{"type":"Link","linkType":"Entry","id":"gone"}}"#))

    static let duplicateID = rule(
        "experience-duplicate-id", .error, "Each experience has an `nt_experience_id` of its own.",
        "People are allocated by this id, and selections name it.",
        fails: "[\(configured("")),\(configured("", id: "x2"))]")

    static let linkUnresolved = rule(
        "experience-link-unresolved", .error, "Each link in `nt_experiences` leads to an entry of the file.",
        "Clients leave out a link whose entry did not come along; ask for the entries with include=10.",
        fails:
            #"{"sys":{"id":"hero"},"fields":{"nt_experiences":[{"sys":{"type":"Link","linkType":"Entry","id":"gone"}}]}}"#
    )

    static let baseline = rule(
        "experience-baseline", .warning, "An experience of an entry has a component for that entry.",
        "Clients replace an entry only with a component whose `baseline.id` is the id of the entry.",
        fails: #"{"sys":{"id":"hero"},"fields":{"nt_experiences":[{"fields":{"nt_config":{"components":[]}}}]}}"#)

    /// An entry of an experience, with these fields.
    private static func experience(_ fields: String, id: String = "x1") -> String {
        #"{"sys":{"id":"\#(id)","contentType":{"sys":{"id":"nt_experience"}}},"fields":{\#(fields)}}"#
    }

    /// The same with this configuration.
    private static func configured(_ configuration: String, more: String = "", id: String = "x1") -> String {
        experience(
            #""nt_experience_id":"exp-1","nt_type":"nt_experiment","nt_config":{\#(configuration)}\#(more)"#, id: id)
    }

    private static func rule(
        _ id: String, _ severity: Severity, _ summary: String, _ rationale: String,
        passes: String = #"{"items":[]}"#, fails: String
    ) -> Rule {
        Rule(
            id: id, severity: severity, layer: .device, summary: summary, rationale: rationale,
            source: "docs/reference/personalization.md", passes: [Example(passes)], fails: [Example(fails)]
        ) { _, _ in }
    }

    /// The table for the documentation, in Markdown.
    package static var table: String {
        var lines = ["| rule | severity | requirement |", "|---|---|---|"]
        for rule in all { lines.append("| `\(rule.id)` | \(rule.severity.rawValue) | \(rule.summary) |") }
        return lines.joined(separator: "\n") + "\n"
    }
}
