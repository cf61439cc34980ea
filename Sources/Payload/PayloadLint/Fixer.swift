package import APNSPayload

/// Applies fixes to a text.
package enum Fixer {
    /// How often a text is checked again after a change, because a fix can make another one possible.
    package static let maximumRounds = 10

    /// Applies the fixes of as many findings as possible without a conflict.
    ///
    /// - Returns: The text and the number of fixed findings. The others need another round.
    package static func apply(_ findings: [LocatedFinding], to bytes: [UInt8]) -> (bytes: [UInt8], count: Int) {
        var taken: [Fix.Edit] = []
        var count = 0
        for finding in findings where !finding.edits.isEmpty {
            // The same edit for two findings is applied once and fixes both.
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

    /// Whether two edits cannot be applied together: they overlap, or both insert at the same offset.
    private static func conflict(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        left.overlaps(right) || left.lowerBound == right.lowerBound
            || (left.isEmpty && right.contains(left.lowerBound)) || (right.isEmpty && left.contains(right.lowerBound))
    }
}
