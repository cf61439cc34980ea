/// A product or other item that a recommender gives: fields with text values.
package struct Item: Hashable, Sendable {
    package let id: String
    package let fields: [String: String]

    /// The fields that name an item, the first that it has.
    package static let idFields = ["ssot__Id__c", "ssot__ProductSKU__c", "id"]

    /// Fails without one of `idFields`.
    package init?(_ fields: [String: String]) {
        guard let id = Item.idFields.lazy.compactMap({ fields[$0] }).first, !id.isEmpty else { return nil }
        self.id = id
        self.fields = fields
    }
}

/// The items of one type, in the order of the document.
package struct ItemCatalog: Hashable, Sendable {
    /// Such as `ssot__GoodsProduct__dlm`.
    package let type: String
    package private(set) var items: [Item] = []
    private var positions: [String: Int] = [:]

    package init(_ type: String) { self.type = type }

    /// - Returns: False if one of the item's ids is taken.
    package mutating func add(_ item: Item) -> Bool {
        let ids = Set(Item.idFields.compactMap { item.fields[$0] })
        guard !ids.contains(where: { positions[$0] != nil }) else { return false }
        for id in ids { positions[id] = items.count }
        items.append(item)
        return true
    }

    /// The item with this value in one of its id fields.
    package func item(_ id: String) -> Item? { positions[id].map { items[$0] } }
}
