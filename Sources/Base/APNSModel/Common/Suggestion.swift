/// Finds the word that a misspelt one may mean.
package enum Suggestion {
    /// The most similar of `words`; nil if none is similar enough. The case of letters does not matter.
    package static func best(for text: String, among words: [String]) -> String? {
        let wanted = Array(text.lowercased().unicodeScalars.prefix(100))
        let limit = max(1, wanted.count / 3)
        var best: (word: String, distance: Int)?
        for word in words {
            // Most words are too long or too short, and for ASCII the number of bytes shows that without making an array.
            guard abs(word.utf8.count - wanted.count) <= limit || !word.utf8.allSatisfy({ $0 < 0x80 }) else { continue }
            let letters = Array(word.lowercased().unicodeScalars)
            guard abs(letters.count - wanted.count) <= limit else { continue }
            let distance = distance(wanted, letters)
            if distance <= limit, distance < best?.distance ?? Int.max { best = (word, distance) }
        }
        return best?.word
    }

    /// The Levenshtein distance: how many characters to insert, delete or replace to turn one string into the other.
    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var row = Array(0...right.count)
        for (index, scalar) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, other) in right.enumerated() {
                let replaced = diagonal + (scalar == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}
