import PushDispatch
import SelectiveSync

/// A query in the supported part of SOQL: fields or COUNT() of one object, conditions, order and limit.
struct SOQLQuery: Hashable, Sendable {
    struct Order: Hashable, Sendable {
        let field: String
        let isDescending: Bool
        let putsNullsLast: Bool
    }

    /// Empty for COUNT().
    let fields: [String]
    let object: String
    var condition: SOQLCondition?
    let order: [Order]
    let limit: Int?
    let offset: Int

    static let maximumBytes = 100_000

    var isCount: Bool { fields.isEmpty }

    /// The matching records in the query's order; without an order, by id.
    ///
    /// - Parameter related: Finds a record that a field refers to.
    func select(
        from records: some Sequence<OrgRecord>, _ related: (RecordID) -> OrgRecord? = { _ in nil }
    ) -> [OrgRecord] {
        var found = records.filter { condition?.holds(for: $0, related) ?? true }.inOrderOfIDs
        if !order.isEmpty {
            let keyed = found.enumerated().map { place, record in
                (place: place, keys: order.map { SOQLValue($0.field, of: record) }, record: record)
            }
            found = keyed.sorted { isBefore($0.keys, $1.keys) ?? ($0.place < $1.place) }.map(\.record)
        }
        return Array(found.dropFirst(offset).prefix(limit ?? .max))
    }

    /// Nil if both are equal.
    private func isBefore(_ left: [SOQLValue], _ right: [SOQLValue]) -> Bool? {
        for (index, order) in order.enumerated() where left[index] != right[index] {
            if left[index] == .null { return !order.putsNullsLast }
            if right[index] == .null { return order.putsNullsLast }
            guard let isLess = left[index].isLess(than: right[index]) else { continue }
            return isLess != order.isDescending
        }
        return nil
    }
}
