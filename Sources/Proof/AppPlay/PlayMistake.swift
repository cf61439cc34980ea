import APNSModel

/// What is wrong in a line of a script, and what to do.
package struct PlayMistake: Error, Hashable, Sendable {
    package var detail: String

    package init(_ detail: String) { self.detail = detail }

    /// A word that is not among the known ones.
    static func unknown(_ what: String, _ word: String, among known: [String]) -> PlayMistake {
        let next =
            Suggestion.best(for: word, among: known).map { "did you mean \"\($0)\"?" }
            ?? "there are \(known.joined(separator: ", "))"
        return PlayMistake("there is no \(what) \(ShownText.quoted(word)); \(next)")
    }
}
