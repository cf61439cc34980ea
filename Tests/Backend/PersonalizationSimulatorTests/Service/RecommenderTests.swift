import PersonalizationSimulator
import PushDispatch
import Testing

/// Spec sections 1.3 and 2: items.
struct RecommenderTests {
    @Test func `a filter takes a value from the context`() {
        var world = world(shop)
        #expect(world.decide("by_category", context: ["category": "Tea"]).skus == ["3", "4"])
        #expect(world.decide("by_category", context: ["category": "tea"]).skus == [])
        let without = world.decide("by_category")
        #expect(without.pointNames == ["by_category"] && without.skus == [], "the decision qualified, no item does")
    }

    @Test func `a filter takes a value from the person or the anchor item`() {
        var world = world(
            shop.replacing(
                "where: [{field: category, equals: {context: category}}]",
                with:
                    "where: [{field: category, in: [{attribute: likes}, {anchor: category}]}]"))
        world.send(logIn(1, user: "u", ["likes": "Cups"]))
        #expect(world.decide("by_category").skus == ["5"])
        #expect(world.decide("by_category", context: ["anchorId": "3"]).skus == ["3", "4", "5"])
        let typed: [String: JSONValue] = ["anchorId": "3", "anchorType": "ssot__GoodsProduct__dlm"]
        #expect(world.decide("by_category", context: typed).skus == ["3", "4", "5"])
        #expect(world.decide("by_category", context: ["anchorId": "3", "anchorType": "Other"]).skus == ["5"])
    }

    @Test func `numbers are compared by their values`() {
        var world = world(
            shop.replacing(
                "where: [{field: category, equals: {context: category}}]",
                with:
                    "where: [{field: price, less: 9.5}, {field: price, greater: \"6\"}, {field: category, exists: true}]"
            ))
        #expect(world.decide("by_category").skus == ["3", "5"])
    }

    @Test func `a recommendation has at most its limit of items`() {
        var world = world(shop)
        #expect(world.decide("recs").skus == ["1", "2", "3"])
    }

    @Test func `co-viewed items come from the engagement that the service received`() {
        var world = world(shop)
        // Three people viewed 1 with 5, two of them 1 with 3.
        for (person, items) in ["15", "135", "351"].enumerated() {
            for (index, item) in items.enumerated() {
                world.send(view(person * 10 + index, String(item), on: "d-\(person)"))
            }
        }
        #expect(world.decide("together", for: "x", context: ["anchorId": "1"]).skus == ["5", "3"])
        #expect(
            world.decide("together", for: "x", context: ["anchorId": "3"]).skus == ["1", "5"], "equal counts by id")
        #expect(
            world.decide("together", for: "x", context: ["anchorId": "2"]).skus == ["1", "3"],
            "nothing known: as listed")
    }

    @Test func `without an anchor item the person's last view is it`() {
        var world = world(shop)
        world.send(view(1, "1"), view(2, "5"), view(3, "1", on: "d-2"))
        #expect(world.decide("together", for: "d-2").skus == ["5", "2"])
    }

    @Test func `a repeat of a view does not count twice`() {
        var world = world(shop)
        world.send(view(1, "1"), view(2, "4"), view(1, "1"), view(3, "1"))
        world.send(view(4, "1", on: "d-2"), view(5, "2", on: "d-2"), view(6, "1", on: "d-3"), view(7, "2", on: "d-3"))
        #expect(world.decide("together", for: "x", context: ["anchorId": "1"]).skus == ["2", "4"])
    }

    @Test func `views of items that are not in the document are kept as events only`() {
        var world = world(shop)
        world.send(view(1, "unknown"), view(2, "1"))
        #expect(world.get("/api/individuals/d-1")["viewed"] == ["1"])
        #expect(world.get("/api/events")["total"] == 2)
    }

    @Test func `an impression of an item counts as a view of it`() {
        var world = world(shop)
        let answer = world.decide("recs")
        world.send(engagement(1, "View", answer.personalizations[0], item: 1))
        #expect(world.get("/api/individuals/d-1")["viewed"] == ["2"])
    }

    @Test func `a recommender can give the person's own views`() {
        var world = world(shop.replacing("limit: 2, order: co-viewed", with: "limit: 4, order: viewed, fill: false"))
        world.send(view(1, "4"), view(2, "1"), view(3, "4"), view(4, "5"))
        #expect(world.decide("together").skus == ["5", "4", "1"])
        #expect(world.decide("together", for: "x").skus == [])
    }

    @Test func `the anchor item can be left out`() {
        var world = world(shop.replacing("limit: 3}", with: "limit: 3, omit-anchor: true}"))
        #expect(world.decide("recs", context: ["anchorId": "2"]).skus == ["1", "3", "4"])
        #expect(world.decide("recs").skus == ["1", "2", "3"])
    }
}
