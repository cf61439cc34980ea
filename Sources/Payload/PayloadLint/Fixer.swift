package import APNSPayload

/// Makes the changes of fixes in a text.
package enum Fixer {
    /// How often a text is looked at again after a change, since one fix may make room for another.
    package static let maximumRounds = 10

    /// Makes the changes of as many findings as do not get in each other's way.
    ///
    /// - Returns: The text and how many findings were mended; the rest is for another round.
    package static func apply(_ findings: [LocatedFinding], to bytes: [UInt8]) -> (bytes: [UInt8], count: Int) {
        var taken: [Fix.Edit] = []
        var count = 0
        for finding in findings where !finding.edits.isEmpty {
            // The same change for two findings counts once, and mends both.
            let edits = finding.edits.filter { !taken.contains($0) }
            guard edits.allSatisfy({ edit in !taken.contains { conflict($0.range, edit.range) } }) else { continue }
            taken += edits
            count += 1
        }
        taken.sort { ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var position = 0
        for edit in taken {
            result += bytes[position..<edit.range.lowerBound]
            result += edit.replacement
            position = edit.range.upperBound
        }
        result += bytes[position...]
        return (result, count)
    }

    /// Whether two changes cannot be made in one go: they overlap, or both put something in at the same place.
    private static func conflict(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        left.overlaps(right) || left.lowerBound == right.lowerBound
            || (left.isEmpty && right.contains(left.lowerBound)) || (right.isEmpty && left.contains(right.lowerBound))
    }
}
