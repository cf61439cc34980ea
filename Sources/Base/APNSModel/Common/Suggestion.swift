/// Finds the word that a misspelt one may mean.
package enum Suggestion {
    /// The most similar of `words`; nil if none is similar enough. The case of letters does not matter.
    package static func best(for text: String, among words: [String]) -> String? {
        lazy var wanted = Array(text.lowercased().unicodeScalars.prefix(100))
        let count = text.utf8.allSatisfy { $0 < 0x80 } ? min(text.utf8.count, 100) : wanted.count
        let limit = max(1, count / 3)
        var best: (word: String, distance: Int)?
        for word in words {
            // Most words are too long or too short, and for ASCII the number of bytes shows that without making an array.
            guard abs(word.utf8.count - count) <= limit || !word.utf8.allSatisfy({ $0 < 0x80 }) else { continue }
            let letters = Array(word.lowercased().unicodeScalars)
            guard abs(letters.count - count) <= limit else { continue }
            let distance = distance(wanted, letters)
            if distance <= limit, distance < best?.distance ?? Int.max { best = (word, distance) }
        }
        return best?.word
    }

    /// The optimal string alignment distance: how many characters to insert, delete or replace, or neighbours to exchange,
    /// to turn one string into the other.
    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var before: [Int] = []
        var last = Array(0...right.count)
        for index in left.indices {
            var row = [index + 1]
            for column in right.indices {
                var least = min(
                    last[column] + (left[index] == right[column] ? 0 : 1), row[column] + 1, last[column + 1] + 1)
                if index > 0, column > 0, left[index] == right[column - 1], left[index - 1] == right[column] {
                    least = min(least, before[column - 1] + 1)
                }
                row.append(least)
            }
            (before, last) = (last, row)
        }
        return last[right.count]
    }
}
