import PersonalizationSimulator
import PushDispatch
import TestSeeds
import Testing

/// Spec section 1.3: an experiment comes before everything.
struct ExperimentTests {
    private static let document = """
        points:
          - name: hero
            decisions:
              - {id: gold, when: [{attribute: tier, equals: gold}], content: {title: Gold}}
              - {id: a, content: {title: A}}
              - {id: b, when: [{attribute: tier, equals: none}], content: {title: B}}
            experiment: {id: e1, shares: [{share: 0.5, decision: a}, {share: 0.3, decision: b}]}
        individuals:
          - {id: kim, attributes: {tier: gold}}
        """

    @Test(arguments: [(1, 5_066, 2_895), (2, 4_950, 3_021), (3, 5_045, 2_949)])
    func `people are spread by the shares, and those outside the split get the control`(
        seed: Int, a: Int, b: Int
    ) {
        var service = world(Self.document, seed: UInt64(seed)).service
        var counts: [String: Int] = [:]
        for person in 0..<10_000 {
            let request = DecisionRequest(individual: "person-\(person)", points: [.init(name: "hero")])
            guard case .reply(let reply) = service.decide(request, isSignedOn: false, at: morning) else { continue }
            counts[reply.personalizations.first?.attributes["title"] ?? "control", default: 0] += 1
        }
        #expect(counts == ["A": a, "B": b, "control": 10_000 - a - b])
    }

    @Test(arguments: TestSeed.all(1...20))
    func `shares are right within four standard deviations for every seed`(seed: TestSeed) {
        let experiment = Experiment("e", [.init(0.1, "a"), .init(0.65, "b")])
        var counts: [String: Int] = [:]
        for person in 0..<10_000 { counts[experiment.decision(of: "p\(person)", seed: seed.value), default: 0] += 1 }
        for (name, share) in [("a", 0.1), ("b", 0.65), ("control", 0.25)] {
            let deviation = (10_000 * share * (1 - share)).squareRoot()
            #expect(abs(Double(counts[name] ?? 0) - 10_000 * share) < 4 * deviation, "\(name): \(counts), \(seed)")
        }
    }

    @Test func `an experiment comes before everything: its decision needs no conditions`() {
        var world = world(Self.document)
        var titles: Set<String> = []
        for person in 0..<100 { titles.insert(world.decide("hero", for: "p\(person)").attribute("title") ?? "") }
        #expect(titles == ["A", "B", ""], "neither the priority nor the condition of b matters")
        #expect(world.decide("hero", for: "kim").attribute("title") != "Gold")
    }

    @Test func `the group of a person stays the same`() {
        var world = world(Self.document)
        for person in 0..<200 {
            let first = world.decide("hero", for: "p\(person)").attribute("title")
            #expect(world.decide("hero", for: "p\(person)").attribute("title") == first)
        }
    }

    @Test func `a log-in does not change the group of a new person`() {
        var world = world(Self.document)
        for person in 0..<100 {
            let device = "p\(person)"
            let before = world.decide("hero", for: device).attribute("title")
            world.send(logIn(person, on: device, user: "u-\(person)"))
            #expect(world.decide("hero", for: device).attribute("title") == before)
        }
    }

    @Test func `two devices of one person are in one group`() {
        var world = world(Self.document)
        for person in 0..<100 {
            world.send(
                logIn(person * 2, on: "phone-\(person)", user: "u-\(person)"),
                logIn(person * 2 + 1, on: "web-\(person)", user: "u-\(person)"))
            let phone = world.decide("hero", for: "phone-\(person)").attribute("title")
            #expect(world.decide("hero", for: "web-\(person)").attribute("title") == phone)
        }
    }

    @Test func `unifiedIndividualId is used to spread people over experiment groups`() {
        var world = world(Self.document)
        for person in 0..<50 {
            let unified: [String: JSONValue] = ["unifiedIndividualId": .string("person-\(person)")]
            let first = world.decide("hero", for: "d1-\(person)", context: unified).attribute("title")
            #expect(world.decide("hero", for: "d2-\(person)", context: unified).attribute("title") == first)
            #expect(world.decide("hero", for: "person-\(person)").attribute("title") == first)
        }
    }

    @Test func `an experiment needs at least 1,000 people per group`() {
        var world = world(Self.document)
        for person in 0..<2_000 { _ = world.decide("hero", for: "p\(person)") }
        let small = world.get("/api/experiments")["experiments"][0]
        #expect(small["large-enough"] == false && small["id"] == "e1")
        for person in 2_000..<4_000 { _ = world.decide("hero", for: "p\(person)") }
        let large = world.get("/api/experiments")["experiments"][0]
        #expect(large["large-enough"] == true)
        #expect(large["people"].object?.values.compactMap(\.number).reduce(0, +) == 4_000)
    }

    @Test func `who does not take part gets the decisions by priority`() {
        var world = world(
            Self.document.replacing("{id: e1, ", with: "{id: e1, when: [{attribute: tier, exists: false}], "))
        #expect(world.decide("hero", for: "kim").attribute("title") == "Gold")
    }
}
