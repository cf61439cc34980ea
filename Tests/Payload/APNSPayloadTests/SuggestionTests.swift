import APNSModel
import APNSPayload
import Testing

struct SuggestionTests {
    @Test func `a misspelt word gets a suggestion and another word does not`() {
        let rules = Rule.all.map(\.id)
        #expect(Suggestion.best(for: "Background-Prority", among: rules) == "background-priority")
        #expect(Suggestion.best(for: "zebra", among: rules) == nil)
        #expect(Suggestion.best(for: "", among: []) == nil)
    }
}
