import PersonalizationSimulator
import PushDispatch
import ServiceHost
import Testing

/// People by data space.
struct DataSpaceTests {
    private let europe = "11111111-2222-4333-8444-555555555555"
    private var document: String {
        """
        dataspaces: [default, eu]
        app-sources: [{id: \(europe), dataspace: eu}]
        points:
          - {name: here, decisions: [{id: gold, when: [{attribute: tier, equals: gold}], content: {a: gold}}, {id: all, content: {a: all}}]}
          - {name: there, dataspace: eu, decisions: [{id: gold, when: [{attribute: tier, equals: gold}], content: {a: gold}}, {id: all, content: {a: all}}]}
        individuals:
          - {id: kim, user-id: u-1, dataspace: eu, attributes: {tier: gold}}
          - {id: lee, user-id: u-2, attributes: {tier: gold}}
        """
    }

    private func send(_ event: [String: JSONValue], to source: String, _ world: inout ServiceWorld) -> Int {
        let batch: JSONValue = ["events": [.object(event)]]
        return world.sendForm("event=" + formField(batch.compactBytes), to: source).status
    }

    private func decide(_ point: String, _ space: String, for individual: String, _ world: inout ServiceWorld)
        -> String?
    {
        world.decide(point, for: individual, context: ["dataspace": .string(space)]).attribute("a")
    }

    @Test func `a person of one data space is a stranger in the other`() {
        var world = world(document)
        #expect(decide("here", "default", for: "kim", &world) == "all")
        #expect(decide("there", "eu", for: "kim", &world) == "gold")
        #expect(decide("here", "default", for: "lee", &world) == "gold", "a person without a data space is in each")
        #expect(decide("there", "eu", for: "lee", &world) == "gold")
    }

    @Test func `events of an app source join people in its data space only`() {
        var world = world(document)
        #expect(send(logIn(1, on: "d-1", user: "u-2"), to: europe, &world) == 204)
        #expect(decide("there", "eu", for: "d-1", &world) == "gold")
        #expect(decide("here", "default", for: "d-1", &world) == "all")
        #expect(send(logIn(2, on: "d-2", user: "u-2"), to: world.source, &world) == 204)
        #expect(decide("there", "eu", for: "d-2", &world) == "gold", "the app's own source feeds each data space")
        #expect(decide("here", "default", for: "d-2", &world) == "gold")
    }

    @Test func `the control API tells data spaces apart`() {
        var world = world(document)
        _ = send(view(1, "1", on: "d-1"), to: europe, &world)
        _ = decide("there", "eu", for: "kim", &world)
        #expect(world.get("/api/individuals")["total"] == 1)
        #expect(world.get("/api/individuals", "dataspace=eu")["total"] == 3)
        #expect(world.get("/api/individuals/kim")["dataspace"] == "eu", "the first data space that has the person")
        #expect(world.get("/api/individuals/kim", "dataspace=default").status == 404)
        #expect(world.get("/api/individuals", "dataspace=us").status == 404)
        #expect(world.get("/api/events", "individual=d-1")["total"] == 1)
        #expect(world.get("/api/decisions", "individual=u-1")["decisions"][0]["dataspace"] == "eu")
        #expect(world.get("/health")["app-sources"][0]["dataspace"] == "eu")
    }

    @Test(arguments: [
        "dataspaces: [a, a]", "dataspaces: []", "dataspaces: [\((0...16).map { "s\($0)" }.joined(separator: ", "))]",
        "app-sources: [{id: x, dataspace: default}]",
        "app-sources: [{id: 11111111-2222-4333-8444-555555555555, dataspace: us}]",
        "app-sources: [{id: 11111111-2222-4333-8444-555555555555}]",
        "{app-source-id: 11111111-2222-4333-8444-555555555555, app-sources: [{id: 11111111-2222-4333-8444-555555555555, dataspace: default}]}",
        "individuals: [{id: kim, dataspace: us}]",
    ])
    func `a wrong data space is reported`(text: String) {
        #expect(PersonalizationDocument(Array(text.utf8), name: "f").errors.count == 1)
    }
}
