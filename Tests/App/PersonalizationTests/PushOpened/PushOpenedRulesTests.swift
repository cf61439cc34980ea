import Foundation
import PushDispatch
import Testing

@testable import Personalization

struct PushOpenedRulesTests {
    private let rules = PushOpenedRules()

    private func read(_ json: String) -> PersonalizedPush? { rules.read(Push(json: Data(json.utf8))) }

    @Test func `the payload of the reference is read`() throws {
        let push = try #require(
            read(
                #"{"aps":{"alert":{"title":"New kettle range"}},"type":"PERSONALIZED","personalization":{"#
                    + #""points":["notification_landing_recs"],"context":{"category":"Kettles","campaign":"spring-26","#
                    + #""anchorId":"7300215"},"link":"https://www.example.com/c/kitchen/kettles"}}"#))
        #expect(push.points == ["notification_landing_recs"])
        #expect(push.context.attributes == ["category": "Kettles", "campaign": "spring-26"])
        #expect(push.context.anchor == DecisionAnchor(id: "7300215"))
        #expect(push.link == "https://www.example.com/c/kitchen/kettles")
        #expect(push.issues.isEmpty)
    }

    @Test func `only what is listed and a single value is taken`() throws {
        var rules = rules
        // Who the person is cannot be allowed.
        rules.contextKeys = ["category", "price", "member", "individualId", "dataspace", "anchorType", "long", "empty"]
        let long = String(repeating: "x", count: 2_049)
        let push = try #require(
            rules.read(
                Push(
                    json: Data(
                        (#"{"type":"PERSONALIZED","personalization":{"points":["admin",7,"notification_landing_recs"],"#
                            + #""context":{"category":{"a":1},"price":1.5,"member":true,"individualId":"someone","#
                            + #""dataspace":"other","anchorType":"t","secret":"x","long":"\#(long)","empty":null},"link":7}}"#)
                            .utf8))))
        #expect(push.points == ["notification_landing_recs"])
        #expect(push.context.attributes == ["price": .decimal(1.5), "member": true])
        #expect(push.context.anchor == nil && push.link == nil)
        #expect(
            push.issues.map(\.pointer) == [
                "/personalization/points/0", "/personalization/points/1", "/personalization/context/category",
                "/personalization/context", "/personalization/context/empty", "/personalization/context",
                "/personalization/context/long", "/personalization/context", "/personalization/link",
            ])
        #expect(!push.issues.contains { $0.description.contains("secret") || $0.description.contains("someone") })
    }

    @Test func `an id that no request takes is left out, so that the fetch is made`() throws {
        for (length, isTaken) in [(255, true), (256, false)] {
            let id = String(repeating: "7", count: length)
            let push = try #require(
                read(
                    #"{"type":"PERSONALIZED","personalization":{"context":{"anchorId":"\#(id)","category":"\#(id)"}}}"#)
            )
            #expect((push.context.anchor != nil) == isTaken && push.context.attributes["category"] != nil)
            #expect(push.issues.map(\.pointer) == (isTaken ? [] : ["/personalization/context/anchorId"]))
            let request = DecisionRequest(
                individualID: "d", dataSpace: "default", context: push.context, points: push.points, flags: [])
            #expect(throws: Never.self) { _ = try request.encoded() }
        }
    }

    @Test(arguments: [
        #"{"type":"PERSONALIZED"}"#, #"{"type":"PERSONALIZED","personalization":null}"#,
        #"{"type":"PERSONALIZED","personalization":7}"#, #"{"type":"PERSONALIZED","personalization":{"points":"x"}}"#,
        #"{"type":"PERSONALIZED","personalization":{"points":[],"context":[]}}"#,
    ])
    func `without usable points the usual ones are fetched`(_ json: String) throws {
        let push = try #require(read(json))
        #expect(push.points == ["notification_landing_recs"] && push.context == DecisionContext() && push.link == nil)
    }

    @Test func `names are configurable, and other types are not touched`() throws {
        var rules = rules
        rules.type = "P"
        rules.keys.type = "kind"
        rules.keys.personalization = "p/1"
        rules.points = ["x"]
        let push = try #require(rules.read(Push(json: Data(#"{"kind":"P","p/1":{"points":["x"],"link":""}}"#.utf8))))
        #expect(push.points == ["x"])
        #expect(push.issues.map(\.pointer) == ["/p~11/link"])
        #expect(rules.read(Push(json: Data(#"{"type":"PERSONALIZED"}"#.utf8))) == nil)
        #expect(read(#"{"type":"ACCOUNT_UPDATE","accountId":"001000000000001AAA"}"#) == nil)
        #expect(read("garbage") == nil)
    }

    @Test func `waving away opens nothing`() {
        var rules = rules
        rules.openingActions = ["buy"]
        #expect(rules.opens(.open) && rules.opens(.custom("buy")))
        #expect(!rules.opens(.dismiss) && !rules.opens(.custom("later")))
    }
}
