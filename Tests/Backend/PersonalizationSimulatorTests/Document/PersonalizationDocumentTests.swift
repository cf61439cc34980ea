import ConfigurationText
import PersonalizationSimulator
import ServiceHost
import Testing

struct PersonalizationDocumentTests {
    private func read(_ text: String) -> PersonalizationDocument {
        PersonalizationDocument(Array(text.utf8), name: "service.yaml")
    }

    /// As in the contract.
    private static let contract = """
        dataspaces: [default]
        items:
          ssot__GoodsProduct__dlm:
            - {ssot__ProductSKU__c: "7300215", ssot__Name__c: Copper kettle, ssot__PrimaryProductCategory__c: Kettles, UnitPrice__c: "49.50"}
        points:
          - name: home_hero
            graph: main                 # which profile graph it reads; main when absent
            sign-on: false              # true: only with an access token
            decisions:                  # the first whose conditions hold
              - {id: gold, when: [{attribute: tier, equals: gold}], content: {title: Welcome back}}
              - {id: everybody, content: {title: Hello}}
          - name: home_recommendations
            decisions:
              - {id: recs, recommend: {type: ssot__GoodsProduct__dlm, limit: 4, where: [{field: ssot__PrimaryProductCategory__c, equals: {context: category}}]}}
            experiment: {id: e1, shares: [{share: 0.5, decision: recs}, {share: 0.5, decision: control}]}
        individuals:
          - {id: 5e1d7a90c4b2f836, email: kim@example.com, user-id: u-1001, attributes: {tier: gold}}
        """

    @Test func `the configuration of the contract is read`() throws {
        let document = read(Self.contract)
        #expect(document.errors.isEmpty, "\(document.errors)")
        let configuration = document.configuration
        #expect(configuration.points.map(\.name) == ["home_hero", "home_recommendations"])
        let hero = configuration.points[0]
        #expect(hero.graph == "main" && !hero.needsSignOn && hero.id == "9ppxx0000000001AAA")
        #expect(hero.decisions[0].conditions == [Condition(.attribute("tier"), .equals(.literal("gold")))])
        #expect(hero.decisions.map(\.id) == ["9pbxx0000000001AAA", "9pbxx0000000002AAA"])
        let recs = try #require(configuration.points[1].decisions[0].recommender)
        #expect(recs.limit == 4 && recs.type == "ssot__GoodsProduct__dlm")
        #expect(recs.filters == [Condition(.field("ssot__PrimaryProductCategory__c"), .equals(.context("category")))])
        #expect(configuration.points[1].experiment?.shares == [.init(0.5, "recs"), .init(0.5, "control")])
        let kim = configuration.individuals[0]
        #expect(kim.userID == "u-1001" && kim.email == "kim@example.com" && kim.attributes == ["tier": "gold"])
        #expect(configuration.items["ssot__GoodsProduct__dlm"]?.item("7300215")?.fields["UnitPrice__c"] == "49.50")
    }

    @Test func `a made id of a point is one that no other point has`() {
        func point(_ name: String, _ id: String? = nil) -> String {
            "  - {name: \(name), \(id.map { "id: \($0), " } ?? "")decisions: [{id: x, content: {a: b}}]}\n"
        }
        let text =
            "points:\n" + point("a", "9ppxx0000000002AAA") + point("b") + point("c", "9ppxx0000000005AAA") + point("d")
            + point("e") + point("f", "9ppxx0000000004AAA")
        let document = read(text)
        #expect(document.errors.isEmpty, "\(document.errors)")
        let numbers = [2, 7, 5, 8, 9, 4]
        #expect(document.configuration.points.map(\.id) == numbers.map { "9ppxx000000000\($0)AAA" })
        #expect(read("points:\n" + point("a", "9ppA") + point("b", "9ppA")).errors.count == 1)
    }

    @Test func `an empty document is a service without points`() {
        #expect(read("").errors.isEmpty && read("").configuration.points.isEmpty)
        #expect(UUIDText.isValid(read("").configuration.appSourceID))
    }

    @Test func `the standard configuration has no errors`() {
        let configuration = ServiceConfiguration.standard()
        #expect(
            configuration.points.count == 3 && configuration.items.count == 1 && configuration.individuals.count == 1)
    }

    @Test func `source id and access token follow from the seed unless they are set`() {
        let (one, two) = (read("seed: 1").configuration, read("seed: 2").configuration)
        #expect(one.appSourceID == read("").configuration.appSourceID && one.appSourceID != two.appSourceID)
        #expect(one.accessToken != two.accessToken)
        let set = read("access-token: abc\napp-source-id: 11111111-2222-4333-8444-555555555555\nseed: 3").configuration
        #expect(set.accessToken == "abc" && set.appSourceID == "11111111-2222-4333-8444-555555555555" && set.seed == 3)
    }

    @Test(arguments: [
        ("point: []", "service.yaml:1:1: point: there is no such key; did you mean points?"),
        ("app-source-id: my-app", #"service.yaml:1:16: app-source-id: "my-app" is given where a UUID is expected"#),
        ("access-token: a b", "service.yaml:1:15: access-token: a token has 1 to 1000 ASCII characters without spaces"),
        ("reply: short", #"service.yaml:1:8: reply: "short" is none of reference, guide"#),
        (
            "limits: {events: 0}",
            "service.yaml:1:18: limits.events: \"0\" is given where a whole number from 1 to 1000000"
        ),
        ("points: [{id: 9ppx}]", "service.yaml:1:10: points[0]: the key name is missing"),
        ("points: [{name: a}, {name: a}]", "service.yaml:1:21: points[1]: there is already a point named \"a\""),
        (
            "points: [{name: a, id: x}]",
            "service.yaml:1:24: points[0].id: \"x\" is given where a new id that begins with 9pp"
        ),
        (
            "points: [{name: a, dataspace: x}]",
            "service.yaml:1:31: points[0].dataspace: there is no data space \"x\"; there are default"
        ),
        (
            "points: [{name: a, decisions: [{id: d}]}]",
            "points[0].decisions[0]: a decision needs content, recommend, or both"
        ),
        ("points: [{name: a, decisions: [{id: control, content: {a: b}}]}]", "must not be control"),
        ("points: [{name: a, decisions: [{id: d, recommend: {type: T}}]}]", "there are no items of the type T"),
        ("points: [{name: a, decisions: [{id: d, recommend: {type: T, limit: 25}}]}]", "a whole number from 1 to 24"),
        (
            "points: [{name: a, decisions: [{id: d, when: [{attribute: x}], content: {a: b}}]}]",
            "a condition has one of"
        ),
        (
            "points: [{name: a, decisions: [{id: d, when: [{attribute: x, equals: {page: x}}], content: {a: b}}]}]",
            "there is no such key"
        ),
        ("points: [{name: a, experiment: {id: e}}]", "the key shares is missing"),
        (
            "points: [{name: a, experiment: {id: e, shares: [{share: 0.5, decision: x}]}}]",
            "there is no decision x at this point"
        ),
        (
            "points: [{name: a, experiment: {id: e, shares: [{share: 0.6, decision: control}, {share: 0.6, decision: control}]}}]",
            "the shares sum to more than 1"
        ),
        (
            "points: [{name: a, experiment: {id: e, shares: [{share: 2, decision: control}]}}]",
            "a number from 0 to 1 is expected"
        ),
        (
            "items: {T: [{name: x}]}",
            "service.yaml:1:13: items.T[0]: an item needs one of ssot__Id__c, ssot__ProductSKU__c, id"
        ),
        ("items: {T: [{id: x}, {id: x}]}", "items.T[1]: another item of T has this id"),
        (
            "individuals: [{id: a, user-id: u}, {id: b, user-id: u}]",
            "individuals[1]: another individual has this id, email or user id"
        ),
        ("faults: [{effect: {status: 200}}]", "faults[0]: effect: status is a number that does not fit"),
        ("points: [", "it is not YAML"),
    ])
    func `a mistake is reported with its place`(text: String, message: String) {
        let errors = read(text).errors.map(\.description)
        #expect(errors.contains { $0.contains(message) && $0.hasPrefix("service.yaml") }, "\(errors)")
    }

    @Test func `one run reports all mistakes, and the rest is read`() {
        let document = read(
            """
            dataspaces: []
            points:
              - {name: hero, sign-on: maybe, decisions: [{id: a, content: {t: x}}]}
              - {decisions: []}
            individuals: [{email: x}]
            """)
        #expect(document.errors.map(\.line) == [1, 3, 4, 5])
        #expect(document.configuration.points.map(\.name) == ["hero"])
    }

    @Test func `the vendor's limits: 25 decisions per point, 50 targeting conditions, 24 items per recommendation`() {
        func decisions(_ count: Int) -> String {
            "points:\n  - name: a\n    decisions:\n"
                + (0..<count).map { "      - {id: d\($0), content: {a: b}}\n" }.joined()
        }
        #expect(read(decisions(25)).errors.isEmpty)
        #expect(read(decisions(26)).errors.map(\.message) == ["there are 26 entries; at most 25 are allowed"])
        func conditions(_ count: Int) -> String {
            "points:\n  - name: a\n    decisions:\n      - id: d\n        content: {a: b}\n        when:\n"
                + (0..<count).map { "          - {attribute: a\($0), exists: true}\n" }.joined()
        }
        #expect(read(conditions(50)).errors.isEmpty && !read(conditions(51)).errors.isEmpty)
        #expect(
            read("items: {T: []}\npoints: [{name: a, decisions: [{id: d, recommend: {type: T, limit: 24}}]}]").errors
                .isEmpty)
    }

    @Test func `anchors cannot fill the memory`() {
        var text = "items:\n  T0: &a0\n    - {id: x, a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8}\n"
        text += "points:\n"
        text +=
            "  - &p {name: p, decisions: &d [" + (0..<25).map { "{id: d\($0), content: {a: b}}" }.joined(separator: ",")
            + "]}\n"
        for number in 0..<3_000 { text += "  - {name: p\(number), decisions: *d}\n" }
        let document = read(text)
        #expect(document.configuration.points.count <= ServiceLimits.documentPoints)
        #expect(document.errors.contains { $0.message.contains("at most 1000 are allowed") })
    }
}
