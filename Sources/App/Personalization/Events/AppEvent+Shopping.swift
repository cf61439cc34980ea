public import Foundation

extension AppEvent {
    /// A person changed the cart.
    public static func cart(
        _ change: CartChange, items: [LineItem], attributes: [String: AttributeValue] = [:]
    ) throws(PersonalizationError) -> AppEvent {
        var event = AppEvent(type: "cart", interaction: change.rawValue)
        try event.addAttributes(attributes, prefix: "attribute")
        event.children = try LineItem.children(items, type: "cartItem", parentKey: "cartEventId")
        return event
    }

    /// A person ordered, or an order changed.
    public static func order(
        _ change: OrderChange, id: String, items: [LineItem], total: Decimal? = nil, currency: String? = nil,
        attributes: [String: AttributeValue] = [:]
    ) throws(PersonalizationError) -> AppEvent {
        try check(id, "the id of an order")
        var event = AppEvent(type: "order", interaction: change.rawValue)
        event.add("orderId", id)
        if let total { event.add("orderTotalValue", try LineItem.amount(total, "the total of an order")) }
        if let currency {
            try check(currency, "the currency of an order")
            event.add("orderCurrency", currency)
        }
        try event.addAttributes(attributes, prefix: "attribute")
        event.children = try LineItem.children(items, type: "orderItem", parentKey: "orderEventId")
        return event
    }
}

/// What became of a cart.
public enum CartChange: String, Hashable, Sendable, CaseIterable {
    case add = "Add To Cart"
    case remove = "Remove From Cart"
    case replace = "Replace Cart"
}

/// What became of an order.
public enum OrderChange: String, Hashable, Sendable, CaseIterable {
    case purchase = "Purchase"
    case preorder = "Preorder"
    case cancel = "Cancel"
    case ship = "Ship"
    case deliver = "Deliver"
    case exchange = "Exchange"
    case `return` = "Return"
}

/// A line of a cart or an order. Each becomes an event of its own, which names the event of the cart or order.
public struct LineItem: Hashable, Sendable {
    public static let maximumCount = 200

    public var type: String
    public var id: String
    public var quantity: Int
    public var price: Decimal?
    /// Such as `EUR`.
    public var currency: String?
    public var attributes: [String: AttributeValue]

    public init(
        type: String = "Product", id: String, quantity: Int = 1, price: Decimal? = nil, currency: String? = nil,
        attributes: [String: AttributeValue] = [:]
    ) {
        self.type = type
        self.id = id
        self.quantity = quantity
        self.price = price
        self.currency = currency
        self.attributes = attributes
    }

    fileprivate static func children(
        _ items: [LineItem], type: String, parentKey: String
    ) throws(PersonalizationError) -> AppEvent.Children {
        guard items.count <= maximumCount else {
            throw .invalid("\(items.count) line items are reported at once; at most \(maximumCount) fit")
        }
        var events: [[AppEvent.Member]] = []
        for item in items { events.append(try item.members()) }
        return AppEvent.Children(type: type, parentKey: parentKey, events: events)
    }

    private func members() throws(PersonalizationError) -> [AppEvent.Member] {
        try AppEvent.check(type, "the type of a line item")
        try AppEvent.check(id, "the id of a line item")
        var event = AppEvent(type: "")
        event.add("catalogObjectType", type)
        event.add("catalogObjectId", id)
        event.add("quantity", .integer(Int64(quantity)))
        if let price { event.add("price", try LineItem.amount(price, "the price of a line item")) }
        if let currency {
            try AppEvent.check(currency, "the currency of a line item")
            event.add("currency", currency)
        }
        try event.addAttributes(attributes, prefix: "attribute")
        return event.members
    }

    fileprivate static func amount(_ amount: Decimal, _ what: String) throws(PersonalizationError) -> AttributeValue {
        guard !amount.isNaN else { throw .invalid("\(what) is not a number; leave it out or give a number") }
        return .decimal(amount)
    }
}
