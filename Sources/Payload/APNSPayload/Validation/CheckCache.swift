import PayloadJSON

/// Which checks of a table are left for payloads of which keys, facts and forms were seen before: the others found nothing
/// in one, and would find nothing again.
///
/// It stays as small as it is made: two that fall on the same place drive each other out.
struct CheckCache: Sendable {
    private struct Slot: Sendable {
        var keys: KeySet = []
        var forms = JSONForms()
    }

    private static let slotCount = 256

    private var slots: [Slot] = []
    /// So many words for each slot, with a bit for each check that is left.
    private var positions: [UInt64] = []
    private var wordCount = 0

    /// The place of payloads like this one; nil when there was none.
    @inline(__always)
    func slot(of keys: KeySet, _ forms: JSONForms) -> Int? {
        let number = CheckCache.number(of: keys, forms)
        guard number < slots.count, slots[number].keys == keys, slots[number].forms == forms else { return nil }
        return number
    }

    /// One word of the checks that are left.
    @inline(__always)
    func positions(_ slot: Int, _ word: Int) -> UInt64 { positions[slot * wordCount + word] }

    /// - Parameter places: As many words each time.
    mutating func insert(_ positions: [UInt64], for keys: KeySet, _ forms: JSONForms) {
        if slots.isEmpty {
            wordCount = positions.count
            // Every payload has the fact `always`, so an empty slot is that of none.
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
