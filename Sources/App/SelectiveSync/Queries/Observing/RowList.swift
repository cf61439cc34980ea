/// Rows in order, in parts. A changed copy shares all parts but one with the list before, so that one change in a long list costs
/// as little as in a short one.
package struct RowList: Sendable {
    /// The rows of a part when it is made. One with twice as many is split.
    static let partSize = 256

    private(set) var parts: [[ObservedRow]] = []
    /// The number of rows before each part.
    private var starts: [Int] = []
    package private(set) var count = 0

    package init(_ rows: [ObservedRow]) {
        parts = stride(from: 0, to: rows.count, by: RowList.partSize).map {
            Array(rows[$0..<min($0 + RowList.partSize, rows.count)])
        }
        number()
    }

    private mutating func number() {
        starts.removeAll(keepingCapacity: true)
        count = 0
        for part in parts {
            starts.append(count)
            count += part.count
        }
    }

    package subscript(position: Int) -> ObservedRow {
        let part = part(at: position)
        return parts[part][position - starts[part]]
    }

    /// The last part that begins at the position or before it.
    private func part(at position: Int) -> Int {
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= position { low = middle } else { high = middle }
        }
        return low
    }

    package mutating func insert(_ row: ObservedRow, at position: Int) {
        defer { number() }
        guard !parts.isEmpty else {
            parts = [[row]]
            return
        }
        let part = part(at: position)
        parts[part].insert(row, at: position - starts[part])
        guard parts[part].count > 2 * RowList.partSize else { return }
        let half = parts[part].count / 2
        parts.insert(Array(parts[part][half...]), at: part + 1)
        parts[part].removeSubrange(half...)
    }

    @discardableResult
    package mutating func remove(at position: Int) -> ObservedRow {
        defer { number() }
        let part = part(at: position)
        let row = parts[part].remove(at: position - starts[part])
        if parts[part].isEmpty { parts.remove(at: part) }
        return row
    }

    /// The first position whose row does not come before a place.
    package func firstPosition(where isBefore: (ObservedRow) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func hasSameRecords(as other: RowList) -> Bool {
        guard count == other.count else { return false }
        guard starts == other.starts else { return zip(joined, other.joined).allSatisfy(RowList.isSame) }
        return zip(parts, other.parts).allSatisfy { one, other in
            RowList.isShared(one, other) || zip(one, other).allSatisfy(RowList.isSame)
        }
    }

    var joined: FlattenSequence<[[ObservedRow]]> { parts.joined() }

    private static func isSame(_ one: ObservedRow, _ other: ObservedRow) -> Bool {
        one === other || one.record == other.record
    }

    /// Whether two parts are the same memory.
    static func isShared(_ one: [ObservedRow], _ other: [ObservedRow]) -> Bool {
        one.count == other.count
            && one.withUnsafeBufferPointer { one in
                other.withUnsafeBufferPointer { one.baseAddress == $0.baseAddress }
            }
    }
}
