import PayloadJSON

/// Caches which checks of a table are still needed for a payload, by its keys, facts and forms. The other checks found
/// nothing in an earlier payload that is the same in these, so they would find nothing again.
///
/// It has a fixed size: an entry replaces another one with the same slot.
struct CheckCache: Sendable {
    private struct Slot: Sendable {
        var keys: KeySet = []
        var forms = JSONForms()
    }

    private static let slotCount = 256

    private var slots: [Slot] = []
    /// `wordCount` words for each slot, with one bit for each check that is needed.
    private var positions: [UInt64] = []
    private var wordCount = 0

    /// The slot of payloads with these keys and forms; nil if there has been none.
    @inline(__always)
    func slot(of keys: KeySet, _ forms: JSONForms) -> Int? {
        let number = CheckCache.number(of: keys, forms)
        guard number < slots.count, slots[number].keys == keys, slots[number].forms == forms else { return nil }
        return number
    }

    /// One word of the checks that are needed.
    @inline(__always)
    func positions(_ slot: Int, _ word: Int) -> UInt64 { positions[slot * wordCount + word] }

    /// - Parameter positions: One bit for each check that is needed; always the same number of words.
    mutating func insert(_ positions: [UInt64], for keys: KeySet, _ forms: JSONForms) {
        if slots.isEmpty {
            wordCount = positions.count
            // Every payload has the fact `always`, so no payload matches an empty slot.
            slots = [Slot](repeating: Slot(), count: CheckCache.slotCount)
            self.positions = [UInt64](repeating: 0, count: CheckCache.slotCount * wordCount)
        }
        let number = CheckCache.number(of: keys, forms)
        slots[number] = Slot(keys: keys, forms: forms)
        for word in 0..<wordCount { self.positions[number * wordCount + word] = positions[word] }
    }

    mutating func removeAll() { slots.removeAll() }

    @inline(__always)
    private static func number(of keys: KeySet, _ forms: JSONForms) -> Int {
        let number = forms.number ^ keys.keys ^ UInt64(keys.facts.rawValue) << 32
        return Int(truncatingIfNeeded: (number &* 0x9e37_79b9_7f4a_7c15) >> 56)
    }
}
