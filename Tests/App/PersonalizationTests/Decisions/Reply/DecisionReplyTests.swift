import Foundation
import PushDispatch
import Testing

@testable import Personalization

struct DecisionReplyTests {
    private func read(_ text: String, points: [String]? = nil) throws -> DecisionReply {
        try DecisionReply.read(Array(text.utf8), points: points)
    }

    @Test func `a reply is matched by name and keeps what it does not know`() throws {
        let reply = try read(
            #"{"requestId":"r","personalizations":["#
                + #"{"personalizationId":"p2","personalizationPointName":"b","new":{"x":[1]},"attributes":{"title":"T"}},"#
                + #"{"personalizationId":"p1","personalizationPointId":"9pp1","personalizationPointName":"a","#
                + #""decisionId":"9pb1","requestId":"inner","individualId":"i","dataSpace":"d","dmoName":"type","#
                + #""data":[{"personalizationContentId":"p1:0","UnitPrice__c":49.5,"count":7,"flag":true,"own":{}}],"#
                + #""diagnostics":[{"code":"401","description":"text"}]}]}"#, points: ["a", "b"])
        #expect(reply.requestID == "r")
        #expect(reply.issues.isEmpty)
        let first = try #require(reply["a"])
        #expect(first.requestID == "inner" && first.pointID == "9pp1" && first.decisionID == "9pb1")
        #expect(first.individualID == "i" && first.dataSpace == "d" && first.itemType == "type")
        #expect(first.items[0]["UnitPrice__c"] == "49.5" && first.items[0]["count"] == "7")
        #expect(first.items[0]["flag"] == "true" && first.items[0]["own"] == nil)
        #expect(first.items[0].fields.members["own"] == .object([:]))
        #expect(first.diagnostics == [DecisionDiagnostic(code: 401, description: "text")])
        #expect(first.diagnostics[0].meaning == "the point is not configured")
        #expect(first.contentID == "p1:0")
        let second = try #require(reply["b"])
        #expect(second.members["new"] == .object(["x": .array([.integer(1)])]))
        #expect(second.attributes["title"] == "T" && second.contentID == "p2" && second.requestID == "r")
    }

    @Test func `the inner request id counts where the top has none`() throws {
        let reply = try read(
            #"{"personalizations":[{"requestId":"in","personalizationId":"p","personalizationPointName":"a"}]}"#)
        #expect(reply.requestID == "in")
        #expect(reply["a"]?.requestID == "in")
    }

    @Test func `items without content ids get the documented ones`() throws {
        let reply = try read(
            #"{"personalizations":[{"personalizationId":"p","personalizationPointName":"a","data":[{},{}]},"#
                + #"{"personalizationId":"q","personalizationPointName":"b","data":[{"x":"1"}]}]}"#)
        #expect(reply["a"]?.items.map(\.contentID) == ["p:0", "p:1"])
        #expect(reply["b"]?.items.map(\.contentID) == ["q"])
    }

    @Test func `an element that cannot be used is left out and named`() throws {
        let good = #"{"personalizationId":"p","personalizationPointName":"a"}"#
        let reply = try read(
            #"{"personalizations":[1,{"personalizationId":"p"},{"personalizationPointName":"a"},"#
                + #"{"personalizationId":"a\u0000b","personalizationPointName":"a"},"#
                + #"{"personalizationId":"\#(String(repeating: "x", count: 600))","personalizationPointName":"a"},"#
                + #"{"personalizationId":"p","personalizationPointName":"a","data":["x"]},"#
                + #"{"personalizationId":"p","personalizationPointName":"a","attributes":[]},"#
                + #"{"personalizationId":"p","personalizationPointName":"other"},\#(good),\#(good)]}"#, points: ["a"])
        #expect(reply.decisions.map(\.point) == ["a"])
        #expect(reply.issues.count == 9)
        #expect(reply.issues[0] == "personalizations[0] is a number, and is left out")
        #expect(reply.issues[7].contains("was not asked for"))
        #expect(reply.issues[8].contains("repeats a point"))
    }

    @Test(arguments: [
        ("", "not JSON"), (#"{"personalizations":[{"#, "may have been cut off"), ("<html>", "not JSON"),
        ("[]", "an array instead of an object"), ("{}", "personalizations is missing"),
        (#"{"personalizations":{}}"#, "an object instead of an array"),
        (String(repeating: "[", count: 100), "nested"),
    ])
    func `a reply of another shape is an error`(_ text: String, _ detail: String) {
        let error = #expect(throws: DecisionError.self) { try read(text) }
        #expect(error?.code == .responseInvalid)
        #expect(error?.detail.contains(detail) == true, "\(error?.detail ?? "")")
    }

    @Test func `a reply over the limit is an error, and one at the limit is not`() throws {
        let text = Array(#"{"personalizations":[]}"#.utf8)
        #expect(try DecisionReply.read(text, maximumBytes: text.count).decisions.isEmpty)
        #expect(throws: DecisionError.self) { try DecisionReply.read(text, maximumBytes: text.count - 1) }
    }
}

struct DecisionFieldsTests {
    struct Product: Decodable, Equatable {
        enum Level: String, Decodable { case low, high }
        struct Maker: Decodable, Equatable { var name: String }

        var name: String
        var price: Decimal
        var stock: Int
        var rating: Double?
        var isNew: Bool
        var since: Date
        var link: URL?
        var level: Level
        var sizes: [Int]
        var maker: Maker?
        var weight: Float?
        var sku: String
    }

    private let members: [String: JSONValue] = [
        "name": "Kettle", "price": "49.50", "stock": "12.0", "rating": "", "isNew": "TRUE", "since": "2026-05-08",
        "link": "https://www.example.com/p/1.html", "level": "high", "sizes": ["1", 2], "maker": ["name": 7],
        "weight": .null, "sku": 7_300_215,
    ]

    @Test func `texts become what the type asks for`() throws {
        let product: Product = try DecisionFields(members).decode()
        #expect(
            product
                == Product(
                    name: "Kettle", price: Decimal(string: "49.50")!, stock: 12, rating: nil, isNew: true,
                    since: Date(timeIntervalSince1970: 1_778_198_400),
                    link: URL(string: "https://www.example.com/p/1.html"),
                    level: .high, sizes: [1, 2], maker: .init(name: "7"), weight: nil, sku: "7300215"))
    }

    static let misfits: [(String, JSONValue, String)] = [
        ("stock", "12.5", "stock"), ("stock", "99999999999999999999", "stock"), ("price", "x", "price"),
        ("rating", "nan", "rating"), ("isNew", "yes", "isNew"), ("since", "2026-02-30", "since"),
        ("level", "none", "level"), ("sizes", ["1", "x"], "sizes.1"), ("sizes", 1, "sizes"), ("maker", [:], "maker"),
        ("name", .null, "name"),
    ]

    @Test(arguments: misfits)
    func `a value that does not fit is an error with its place`(_ key: String, _ value: JSONValue, _ place: String) {
        var members = members
        members[key] = value
        let error = #expect(throws: DecodingError.self) { try DecisionFields(members).decode(Product.self) }
        let path: [any CodingKey]
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context),
            .keyNotFound(_, let context):
            path = context.codingPath
        default: path = []
        }
        #expect(path.map(\.stringValue).joined(separator: ".") == place)
    }

    @Test(
        arguments: [
            ("1970-01-01", 0), ("1969-12-31T23:59:59Z", -1_000), ("2026-05-08T09:15:30.120Z", 1_778_231_730_120),
            ("2026-05-08T11:15:30.12+02:00", 1_778_231_730_120), ("2026-05-08 09:15", 1_778_231_700_000),
            ("2024-02-29", 1_709_164_800_000), ("0000-01-01", -62_167_219_200_000), ("9999-12-31", 253_402_214_400_000),
            ("2026-13-01", nil), ("2023-02-29", nil), ("2026-05-08T24:00:00Z", nil), ("2026-05-08Z", nil),
            ("20260508", nil),
            ("2026-05-08T09:15:30.Z", nil), ("2026-05-08T09:15:30+2", nil), ("", nil),
        ] as [(String, Int64?)])
    func `dates of ISO 8601 are read`(_ text: String, _ milliseconds: Int64?) {
        #expect(FieldDate.milliseconds(text) == milliseconds)
    }

    @Test func `large whole numbers in texts stay exact`() throws {
        struct Item: Decodable { var id: Int64 }
        #expect(try DecisionFields(["id": "9007199254740993"]).decode(Item.self).id == 9_007_199_254_740_993)
    }

    @Test func `all items are decoded, with the place of a bad one`() throws {
        struct Item: Decodable { var price: Double }
        var decision = Decision(
            point: "a", attributes: DecisionFields(),
            items: [DecisionItem(fields: DecisionFields(["price": "1.5"]))])
        #expect(try decision.decodeItems(Item.self).map(\.price) == [1.5])
        decision.items.append(DecisionItem(fields: DecisionFields()))
        #expect(throws: DecodingError.self) { try decision.decodeItems(Item.self) }
    }
}
