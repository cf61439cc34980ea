import APNSModel
import Testing

struct SuggestionTests {
    private static let words = ["background", "alert", "voip", "badge", "background-priority", "größe"]

    @Test(arguments: [
        ("backgroud", "background"), ("BACKGROUND", "background"), ("alrt", "alert"), ("aler", "alert"),
        ("bagge", "badge"), ("viop", "voip"), ("abckgruond", "background"),
        ("Background-Prority", "background-priority"), ("voipp", "voip"), ("grösse", "größe"),
    ])
    func `the nearest word is suggested`(text: String, word: String) {
        #expect(Suggestion.best(for: text, among: Self.words) == word)
    }

    @Test(arguments: ["zebra", "", "x", "foreground-prio"])
    func `a word that is too different is not`(text: String) {
        #expect(Suggestion.best(for: text, among: Self.words) == nil)
        #expect(Suggestion.best(for: text, among: []) == nil)
    }

    @Test func `of two equally near words the first is suggested`() {
        #expect(Suggestion.best(for: "bat", among: ["cat", "hat"]) == "cat")
    }
}
