/// A known key in a form for comparison with misspelt keys.
struct KnownSpelling: Sendable {
    let key: KnownKey
    let name: String
    /// The name in lower case and without hyphens.
    let folded: [UInt8]

    private static let rows: [[KnownSpelling]] = containers.map { container in
        PayloadKey.all(in: container).map { KnownSpelling(key: $0.key, name: $0.name, folded: fold($0.name)) }
    }

    private static let containers: [PayloadKey.Container] = [.root, .aps, .alert, .sound, .titleText, .bodyText]

    static func all(in container: PayloadKey.Container) -> [KnownSpelling] {
        containers.firstIndex(of: container).map { rows[$0] } ?? []
    }

    /// A key in lower case, without hyphens, underscores and spaces.
    static func fold(_ name: String) -> [UInt8] {
        name.utf8.compactMap { byte in
            switch byte {
            case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: " "): nil
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
            default: byte
            }
        }
    }

    /// The edit distance: how many characters must be inserted, removed, replaced or swapped with their neighbour. Nil
    /// if it is more than `limit`.
    static func distance(_ left: [UInt8], _ right: [UInt8], atMost limit: Int) -> Int? {
        guard abs(left.count - right.count) <= limit, differingLetters(left, right) <= 2 * limit else { return nil }
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                var steps = min(
                    last[column] + (left[row] == right[column] ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    steps = min(steps, beforeLast[column - 1] + 1)
                }
                current.append(steps)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count] <= limit ? last[right.count] : nil
    }

    /// How many letters occur in only one of the strings. Half of this is a cheap lower bound of their distance.
    private static func differingLetters(_ left: [UInt8], _ right: [UInt8]) -> Int {
        (letters(left) ^ letters(right)).nonzeroBitCount
    }

    private static func letters(_ text: [UInt8]) -> UInt32 { text.reduce(0) { $0 | 1 << UInt32($1 & 31) } }
}
