extension OptimizationConfiguration {
    /// The services without a document: a hero with two variants, a flag for gold members, and a merge tag.
    package static func standard(seed: UInt64 = 1) -> OptimizationConfiguration {
        OptimizationDocument(Array(standardText.utf8), name: "standard", seed: seed) { _ in Array(standardEntries.utf8)
        }
        .configuration
    }

    static let standardText = """
        entries: [standard.json]
        audiences:
          - {id: gold, name: Gold members, when: [{trait: plan, equals: gold}]}
          - {id: returning, name: Returning visitors, when: [{session: isReturningVisitor, equals: "true"}]}
        """

    static let standardEntries = #"""
        [
          {"sys": {"id": "hero", "type": "Entry", "contentType": {"sys": {"id": "hero"}}},
           "fields": {"title": "Hello", "nt_experiences": [
             {"sys": {"type": "Link", "linkType": "Entry", "id": "xp-entry-1"}}]}},
          {"sys": {"id": "hero-b", "type": "Entry", "contentType": {"sys": {"id": "hero"}}},
           "fields": {"title": "Welcome"}},
          {"sys": {"id": "xp-entry-1", "type": "Entry", "contentType": {"sys": {"id": "nt_experience"}}},
           "fields": {"nt_name": "Hero test", "nt_type": "nt_experiment", "nt_experience_id": "exp-1",
             "nt_config": {"traffic": 1, "distribution": [0.5, 0.5], "sticky": false, "components": [
               {"type": "EntryReplacement", "baseline": {"id": "hero"}, "variants": [{"id": "hero-b", "hidden": false}]}]},
             "nt_variants": [{"sys": {"type": "Link", "linkType": "Entry", "id": "hero-b"}}]}},
          {"sys": {"id": "xp-entry-2", "type": "Entry", "contentType": {"sys": {"id": "nt_experience"}}},
           "fields": {"nt_name": "Short checkout for gold members", "nt_type": "nt_personalization",
             "nt_experience_id": "exp-2", "nt_audience": {"sys": {"type": "Link", "linkType": "Entry", "id": "aud-entry-1"}},
             "nt_config": {"traffic": 1, "distribution": [0, 1], "sticky": true, "components": [
               {"type": "InlineVariable", "key": "short-checkout", "valueType": "Boolean", "baseline": {"value": false},
                "variants": [{"value": true}]}]},
             "nt_variants": []}},
          {"sys": {"id": "aud-entry-1", "type": "Entry", "contentType": {"sys": {"id": "nt_audience"}}},
           "fields": {"nt_audience_id": "gold", "nt_name": "Gold members", "nt_description": "The trait plan is gold."}},
          {"sys": {"id": "tag-1", "type": "Entry", "contentType": {"sys": {"id": "nt_mergetag"}}},
           "fields": {"nt_name": "First name", "nt_fallback": "friend", "nt_mergetag_id": "traits_firstName"}}
        ]
        """#
}
