/// Something in a `DeliveryList`.
package protocol DeliveryItem: Hashable, Sendable, Codable {
    var delivery: Delivery { get }
}

extension Delivery: DeliveryItem {
    package var delivery: Delivery { self }
}

extension StoredDelivery: DeliveryItem {}

/// Deliveries of one device, oldest first, with the memory that they use.
package struct DeliveryList<Item: DeliveryItem>: Hashable, Sendable {
    private var items: [Item] = []
    /// In bytes. A delivery that is in the list twice counts twice.
    package private(set) var heldBytes = 0
    /// How many were ever appended.
    private(set) var appendedCount = 0

    init() {}

    package init(_ items: some Sequence<Item>) {
        self.items = Array(items)
        heldBytes = self.items.reduce(0) { $0 + $1.delivery.heldBytes }
    }

    mutating func append(_ item: Item) {
        items.append(item)
        heldBytes += item.delivery.heldBytes
        appendedCount += 1
    }

    @discardableResult
    mutating func removeFirst() -> Item {
        let item = items.removeFirst()
        heldBytes -= item.delivery.heldBytes
        return item
    }

    mutating func removeFirst(_ count: Int) {
        for item in items.prefix(count) { heldBytes -= item.delivery.heldBytes }
        items.removeFirst(count)
    }

    mutating func removeAll(where isMeant: (Item) -> Bool) {
        items.removeAll { item in
            guard isMeant(item) else { return false }
            heldBytes -= item.delivery.heldBytes
            return true
        }
    }
}

extension DeliveryList: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { items.count }
    package subscript(index: Int) -> Item { items[index] }
}

extension DeliveryList: ExpressibleByArrayLiteral {
    package init(arrayLiteral items: Item...) { self.init(items) }
}

extension DeliveryList<StoredDelivery> {
    /// For a device that is not reachable everything is simply stored.
    mutating func endHolds() {
        for index in items.indices where items[index].hold != nil { items[index].hold = nil }
    }
}

/// As an array.
extension DeliveryList: Codable {
    package init(from decoder: any Decoder) throws { self.init(try [Item](from: decoder)) }
    package func encode(to encoder: any Encoder) throws { try items.encode(to: encoder) }
}
