/// What notifications are in the input, by their position among those that were passed to the provider. It has space for those
/// between the oldest one that is left and the newest, so results may take them in any order.
struct TagRing: Sendable {
    /// What a notification is in the input.
    struct Tag: Sendable {
        /// Its position in the input, not counting bad lines.
        var number: Int
        /// The line that it comes from; nil for one from an option.
        var line: Int?
    }

    /// A power of two of slots. The slot of a position is its remainder.
    private var slots: [Tag?] = Array(repeating: nil, count: 1024)
    /// The positions that may have a tag.
    private var range = 0..<0

    var isEmpty: Bool { range.isEmpty }

    /// Adds the tag of the next position.
    mutating func append(_ tag: Tag) {
        if range.count == slots.count { grow() }
        slots[range.upperBound & (slots.count - 1)] = tag
        range = range.lowerBound..<range.upperBound + 1
    }

    /// Removes and returns the tag of a position; nil if it was removed before, or there was none.
    mutating func take(_ position: Int) -> Tag? {
        guard range.contains(position) else { return nil }
        let slot = position & (slots.count - 1)
        let tag = slots[slot]
        slots[slot] = nil
        var first = range.lowerBound
        while first < range.upperBound, slots[first & (slots.count - 1)] == nil { first += 1 }
        range = first..<range.upperBound
        return tag
    }

    private mutating func grow() {
        var larger: [Tag?] = Array(repeating: nil, count: slots.count * 2)
        for position in range { larger[position & (larger.count - 1)] = slots[position & (slots.count - 1)] }
        slots = larger
    }
}
