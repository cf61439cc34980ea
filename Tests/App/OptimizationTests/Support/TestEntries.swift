import PushDispatch

@testable import Optimization

/// Entries as the delivery service has them, with links replaced.
enum TestEntries {
    /// The example of docs/reference/personalization.md 13.2: a hero with one experience and one variant.
    static let hero = try! ContentEntry(
        text: #"""
            { "sys": { "id": "hero", "type": "Entry", "contentType": { "sys": { "id": "hero" } } },
              "fields": {
                "title": "Hello",
                "nt_experiences": [ {
                  "sys": { "id": "xp-entry-1", "type": "Entry",
                           "contentType": { "sys": { "id": "nt_experience" } } },
                  "fields": {
                    "nt_name": "Returning visitors", "nt_type": "nt_personalization",
                    "nt_experience_id": "exp-1",
                    "nt_config": {
                      "traffic": 1, "distribution": [0.5, 0.5], "sticky": false,
                      "components": [ { "type": "EntryReplacement",
                        "baseline": { "id": "hero" }, "variants": [ { "id": "hero-b" } ] } ] },
                    "nt_variants": [ {
                      "sys": { "id": "hero-b", "type": "Entry",
                               "contentType": { "sys": { "id": "hero" } } },
                      "fields": { "title": "Welcome back" } } ] } } ] } }
            """#)

    static func entry(_ id: String, type: String = "hero", _ fields: [String: JSONValue] = [:]) -> JSONValue {
        ContentEntry(id: id, contentType: type, fields: fields).json
    }

    static func link(_ id: String, _ type: String = "Entry") -> JSONValue {
        ["sys": ["type": "Link", "linkType": .string(type), "id": .string(id)]]
    }

    /// An experience that replaces a baseline.
    ///
    /// - Parameters:
    ///   - variants: The ids in the component.
    ///   - entries: What `nt_variants` has; nil for an entry of each id.
    static func experience(
        _ id: String, baseline: String = "hero", variants: [String], entries: [JSONValue]? = nil,
        component: [String: JSONValue] = ["type": "EntryReplacement"], extra: [String: JSONValue] = [:]
    ) -> JSONValue {
        var component = component
        component["baseline"] = component["baseline"] ?? ["id": .string(baseline)]
        component["variants"] = .array(variants.map { ["id": .string($0)] })
        var fields: [String: JSONValue] = [
            "nt_experience_id": .string(id), "nt_name": .string(id), "nt_type": "nt_personalization",
            "nt_config": ["traffic": 1, "components": [.object(component)]],
            "nt_variants": .array(entries ?? variants.filter { !$0.isEmpty }.map { entry($0) }),
        ]
        fields.merge(extra) { _, new in new }
        return entry("entry-\(id)", type: "nt_experience", fields)
    }

    static func baseline(_ experiences: [JSONValue], id: String = "hero") -> ContentEntry {
        ContentEntry(id: id, contentType: "hero", fields: ["nt_experiences": .array(experiences)])
    }
}

extension ContentEntry {
    init(text: String) throws {
        let limits = JSONLimits(maximumBytes: 1 << 20, maximumDepth: 64, maximumValues: 1 << 20)
        self.init(try JSONReader.read(Array(text.utf8), limits: limits).object ?? [:])
    }
}

extension ExperienceSelection {
    init(_ experienceID: String, _ variantIndex: Int) {
        self.init(experienceID: experienceID, variantIndex: variantIndex)
    }

    /// One that the preview panel has chosen.
    static func preview(_ experienceID: String, _ variantIndex: Int) -> ExperienceSelection {
        var selection = ExperienceSelection(experienceID, variantIndex)
        selection.isPreview = true
        return selection
    }
}
