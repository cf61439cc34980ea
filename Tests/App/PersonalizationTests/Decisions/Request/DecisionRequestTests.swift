import EventDelivery
import Foundation
import Testing

@testable import Personalization

struct DecisionRequestTests {
    @Test func `a request has the members of the reference, in its order`() throws {
        var context = DecisionContext(
            anchor: DecisionAnchor(id: "7300215", type: "ssot__GoodsProduct__dlm"),
            requestURL: "https://www.example.com/landing?utm_campaign=spring")
        context.attributes = [
            "category": "Kettles", "count": 3, "member": true, "price": .decimal(Decimal(string: "49.50")!),
            "seen": .date(EventTime(milliseconds: 1_778_231_730_120)),
        ]
        var request = DecisionRequest(individualID: "5e1d7a90c4b2f836", context: context, points: ["a", "b"])
        request.flags = [.testMode, .contextOnly]
        request.profile = ["tier": "gold"]
        #expect(
            String(decoding: try request.encoded(), as: UTF8.self)
                == #"{"context":{"individualId":"5e1d7a90c4b2f836","dataspace":"default","anchorId":"7300215","#
                + #""anchorType":"ssot__GoodsProduct__dlm","requestUrl":"https://www.example.com/landing?utm_campaign=spring","#
                + #""category":"Kettles","count":3,"member":true,"price":49.5,"seen":"2026-05-08T09:15:30.120Z"},"#
                + #""personalizationPoints":[{"name":"a"},{"name":"b"}],"profile":{"tier":"gold"},"#
                + #""executionFlags":["ContextOnly","TestMode"]}"#)
    }

    @Test func `an account is asked for instead of a person`() throws {
        let context = DecisionContext(profileID: "account-1", unifiedIndividualID: "u")
        let request = DecisionRequest(individualID: "person", context: context, points: ["a"])
        #expect(
            String(decoding: try request.encoded(), as: UTF8.self)
                == #"{"context":{"profileId":"account-1","unifiedIndividualId":"u","dataspace":"default"},"#
                + #""personalizationPoints":[{"name":"a"}]}"#)
    }

    static let invalid: [(DecisionRequest, String)] = [
        (DecisionRequest(individualID: "i", points: []), "name at least one"),
        (DecisionRequest(individualID: "i", points: ["a", ""]), "the name of point 2 is empty"),
        (DecisionRequest(individualID: "i", points: ["a\n"]), "has a control character"),
        (DecisionRequest(individualID: "i", points: Array(repeating: "a", count: 101)), "at most 100"),
        (DecisionRequest(individualID: "", points: ["a"]), "individualId is empty"),
        (DecisionRequest(individualID: String(repeating: "x", count: 256), points: ["a"]), "more than 255 bytes"),
        (
            DecisionRequest(
                individualID: "i", context: DecisionContext(attributes: ["individualId": "other"]), points: ["a"]),
            "individualId has the name of a key of the service"
        ),
        (
            DecisionRequest(
                individualID: "i", context: DecisionContext(attributes: ["x": .decimal(.nan)]), points: ["a"]),
            "context.x is not a number"
        ),
        (
            DecisionRequest(
                individualID: "i",
                context: DecisionContext(attributes: ["x": .text(String(repeating: "x", count: 4_097))]), points: ["a"]),
            "context.x has more than 4096 bytes"
        ),
    ]

    @Test(arguments: invalid.indices) func `what cannot be sent is an error that says what to change`(_ index: Int) {
        let (request, text) = Self.invalid[index]
        let error = #expect(throws: DecisionError.self) { try request.encoded() }
        #expect(error?.code == .requestInvalid)
        #expect(error?.detail.contains(text) == true, "\(error?.detail ?? "")")
    }
}
