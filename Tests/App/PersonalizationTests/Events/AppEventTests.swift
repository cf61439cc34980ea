import EventDelivery
import Foundation
import PushDispatch
import Testing

@testable import Personalization

struct AppEventTests {
    @Test func `an event has the common fields of its capture`() async throws {
        let app = try TestApp()
        try await app.client.setConsent(.pending)
        try await app.client.setLocation(GeoLocation(latitude: 52.5, longitude: 13.4))
        try await app.client.track(
            .custom("wishlist", attributes: ["color": "copper", "count": 3, "gift": true, "price": .decimal(49.5)]))
        app.clock.advance(seconds: 90)
        try await app.client.setConsent(.optedIn)
        await app.flush()
        let event = try #require(app.service.events.first { $0.kind == "wishlist" })
        let identity = try await app.client.identity()
        #expect(event["dateTime"] == "2026-05-08T09:15:30.000Z")
        #expect(event["deviceId"] == identity.deviceID)
        #expect(try await event["sessionId"] == app.client.sessionID())
        #expect(event["category"] == "Engagement" && event["channel"] == "mobile")
        #expect(event.object?["latitude"] == .number(52.5) && event.object?["longitude"] == .number(13.4))
        #expect(event.object?["count"] == 3 && event.object?["gift"] == true && event.object?["price"] == .number(49.5))
    }

    @Test func `catalog events have type and id, and attributes with a prefix`() async throws {
        let app = try TestApp()
        try await app.client.setConsent(.optedIn)
        try await app.client.track(.catalog(.viewDetail, id: "7300215", attributes: ["color": "copper"]))
        await app.flush()
        let event = try #require(app.service.events.last)
        #expect(event["eventType"] == "catalog" && event["interactionName"] == "View Catalog Object Detail")
        #expect(event["type"] == "Product" && event["id"] == "7300215" && event["attributeColor"] == "copper")
    }

    @Test func `the items of an order are events that name it`() async throws {
        let app = try TestApp()
        try await app.client.setConsent(.optedIn)
        let items = [
            LineItem(id: "7300215", quantity: 2, price: Decimal(string: "49.5"), currency: "EUR"),
            LineItem(id: "7300216"),
        ]
        try await app.client.track(.order(.purchase, id: "o-1", items: items, total: 99, currency: "EUR"))
        try await app.client.track(.cart(.add, items: [LineItem(id: "7300217")]))
        await app.flush()
        let events = app.service.events.dropFirst()
        #expect(events.map { $0["eventType"] } == ["order", "orderItem", "orderItem", "cart", "cartItem"])
        let order = try #require(events.first)
        #expect(order["orderId"] == "o-1" && order.object?["orderTotalValue"] == 99)
        #expect(events.map { $0["orderEventId"] } == [nil, order["eventId"], order["eventId"], nil, nil])
        #expect(events.map { $0["catalogObjectId"] } == [nil, "7300215", "7300216", nil, "7300217"])
        #expect(events.dropFirst().first?.object?["quantity"] == 2)
    }

    @Test(arguments: [3, 4])
    func `an order is in a nearly full queue whole or not at all`(_ limit: Int) async throws {
        let app = try TestApp {
            $0.delivery.limits.maximumEvents = limit
            $0.delivery.limits.overflow = .refuseNew
        }
        let items = [LineItem(id: "1"), LineItem(id: "2")]
        for event in [try AppEvent.order(.purchase, id: "o-1", items: items), try .cart(.add, items: items)] {
            try? await app.queue.removeEvents()
            try await app.client.track(.custom("a"))
            if limit == 4 {
                try await app.client.track(event)
            } else {
                let error = await #expect(throws: PersonalizationError.self) { try await app.client.track(event) }
                #expect(error?.code == .notKept && error?.detail.contains("no space") == true)
            }
            #expect(await app.queue.status(of: "personalization")?.kept == (limit == 4 ? 4 : 1))
        }
        let more = try AppEvent.order(.purchase, id: "o-2", items: items + items)
        let error = await #expect(throws: PersonalizationError.self) { try await app.client.track(more) }
        #expect(error?.code == .notKept && error?.detail.contains("larger than the queue allows") == true)
    }

    @Test func `an order that cannot be stored is not kept in part`() async throws {
        let app = try TestApp()
        let store = FullEventStore()
        app.events = store
        app.restart()
        try await app.client.start()
        store.allow(0)
        let order = try AppEvent.order(.purchase, id: "o-1", items: [LineItem(id: "1")])
        let error = await #expect(throws: PersonalizationError.self) { try await app.client.track(order) }
        #expect(error?.code == .storage)
        #expect(await app.queue.status(of: "personalization")?.kept == 0)
        store.allow(1)
        try await app.client.track(order)
        #expect(await app.queue.status(of: "personalization")?.kept == 2)
    }

    @Test func `an event after an opt-out is an error`() async throws {
        let app = try TestApp()
        try await app.client.setConsent(.optedOut)
        for event in [try AppEvent.custom("a"), try .order(.purchase, id: "o-1", items: [LineItem(id: "1")])] {
            let error = await #expect(throws: PersonalizationError.self) { try await app.client.track(event) }
            #expect(error?.code == .consent)
        }
    }

    @Test func `an event without an id or with a value that cannot be sent is refused`() {
        let long = String(repeating: "x", count: 5_000)
        let many = Dictionary(
            uniqueKeysWithValues: (0...AppEvent.maximumAttributes).map { ("a\($0)", AttributeValue.integer(1)) })
        let items = [LineItem](repeating: LineItem(id: "1"), count: LineItem.maximumCount + 1)
        let events: [(PersonalizationError.Code, () throws -> AppEvent)] = [
            (.missingID, { try .catalog(id: "") }), (.missingID, { try .catalog(type: "", id: "1") }),
            (.missingID, { try .order(.purchase, id: "", items: []) }),
            (.missingID, { try .cart(.add, items: [LineItem(id: "")]) }), (.missingID, { try .custom("") }),
            (.invalidValue, { try .custom("identity") }), (.invalidValue, { try .custom("a\nb") }),
            (.invalidValue, { try .custom("a", attributes: ["deviceId": "x"]) }),
            (.invalidValue, { try .custom("a", attributes: ["x": .decimal(.nan)]) }),
            (.invalidValue, { try .custom("a", attributes: ["x": .text(long)]) }),
            (.invalidValue, { try .custom("a", attributes: many) }), (.invalidValue, { try .cart(.add, items: items) }),
            (.missingID, { try .custom("a", attributes: ["": 1]) }),
        ]
        for (code, make) in events {
            let error = #expect(throws: PersonalizationError.self) { _ = try make() }
            #expect(error?.code == code)
        }
        #expect(GeoLocation(latitude: 90.1, longitude: 0) == nil && GeoLocation(latitude: .nan, longitude: 0) == nil)
    }

    @Test func `an event that is too large for the queue is an error`() async throws {
        let app = try TestApp { $0.delivery.limits.maximumEventBytes = 400 }
        let event = try AppEvent.custom("a", attributes: ["x": .text(String(repeating: "x", count: 400))])
        let error = await #expect(throws: PersonalizationError.self) { try await app.client.track(event) }
        #expect(error?.code == .notKept)
    }
}
