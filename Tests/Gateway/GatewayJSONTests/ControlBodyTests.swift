import APNSModel
import GatewayJSON
import PayloadJSON
import Testing

struct ControlBodyTests {
    private static let keys = ["text", "count", "flag", "list", "inner", "time", "span", "word"]

    private static func body(_ text: String) throws -> ControlBody { try ControlBody(Array(text.utf8), keys: keys) }

    @Test func `values are read by their types`() throws {
        let body = try Self.body(
            #"{"text":"a","count":5.0,"flag":false,"list":["x","y"],"inner":{"x":1},"time":1,"span":"2s","word":"sandbox"}"#
        )
        #expect(try body.string("text") == "a")
        #expect(try body.integer("count", in: 0...9) == 5, "a fraction of zero is a whole number")
        #expect(try body.number("count", in: 0...9) == 5)
        #expect(try body.header("count") == "5.0", "a header has the digits that were sent")
        #expect(try body.bool("flag") == false)
        #expect(try body.strings("list") == ["x", "y"])
        let inner = try #require(try body.object("inner", keys: ["x"]))
        #expect(try inner.integer("x", in: 1...1) == 1)
        #expect(try body.time("time") == 1000, "a number is Unix seconds")
        #expect(try body.duration("span") == 2000)
        #expect(try body.word("word", as: APNSEnvironment.self) == .sandbox)
        #expect(body.present == Self.keys)
    }

    @Test func `null counts as absent, but for its compact form`() throws {
        let body = try Self.body(#"{"text":null,"inner":{ "a" : [ 1 ] }}"#)
        #expect(try body.string("text") == nil)
        #expect(body.kind("text") == nil && body.kind("count") == nil && body.kind("inner") == .object)
        #expect(body.present == ["inner"])
        #expect(body.compact("text").map { String(decoding: $0, as: UTF8.self) } == "null")
        #expect(body.compact("inner").map { String(decoding: $0, as: UTF8.self) } == #"{"a":[1]}"#)
        #expect(body.compact("count") == nil)
    }

    @Test(arguments: [
        ("{", "the body is not JSON: line 1, column 2"),
        ("[]", "the body is an array; send an object with the keys text"),
        ("7", "the body is a number"),
        (#"{"Text":"a"}"#, #"line 1, column 2: the key "Text" is not known here; did you mean "text"?"#),
        (#"{"counts":1}"#, #"line 1, column 2: the key "counts" is not known here; did you mean "count"?"#),
        ("{\n  \"other\": 1}", #"line 2, column 3: the key "other" is not known here; known are text, count"#),
        (#"{"text":"a","text":"b"}"#, #"the key "text" appears twice; send it once"#),
    ])
    func `a body that is not an object of known keys is refused with its place`(text: String, wanted: String) {
        let problem = #expect(throws: Problem.self) { try Self.body(text) }
        #expect(problem?.status == 400)
        #expect(problem?.detail.contains(wanted) == true, "\(problem?.detail ?? "")")
    }

    @Test func `nesting is bounded`() {
        let text = #"{"inner":"# + String(repeating: "[", count: 512) + String(repeating: "]", count: 512) + "}"
        #expect(throws: Problem.self) { try Self.body(text) }
    }

    @Test func `a value of another type is refused with its place and its pointer`() throws {
        let body = try Self.body(
            #"{"text":1,"count":12,"flag":"yes","list":["a",1],"inner":[],"time":"noon","span":"soon","word":"sandbx"}"#
        )
        func wrong(_ key: String, _ wanted: String, pointer: String? = nil, _ read: () throws -> Void) {
            var problem: Problem?
            do {
                try read()
            } catch {
                problem = error as? Problem
            }
            #expect(problem?.pointer == pointer ?? "/\(key)")
            #expect(problem?.detail.hasPrefix("line 1, column ") == true, "\(problem?.detail ?? "")")
            #expect(problem?.detail.contains("\"\(key)\" must be \(wanted)") == true, "\(problem?.detail ?? "")")
        }
        wrong("text", "a string") { _ = try body.string("text") }
        wrong("count", "a whole number from 0 to 9") { _ = try body.integer("count", in: 0...9) }
        wrong("count", "a number from 0.0 to 9.0") { _ = try body.number("count", in: 0...9) }
        wrong("flag", "true or false") { _ = try body.bool("flag") }
        wrong("list", "an array of strings", pointer: "/list/1") { _ = try body.strings("list") }
        wrong("inner", "an object with the keys x") { _ = try body.object("inner", keys: ["x"]) }
        wrong("time", "a time in RFC 3339") { _ = try body.time("time") }
        wrong("span", "a duration such as") { _ = try body.duration("span") }
        wrong("word", "one of sandbox, production") { _ = try body.word("word", as: APNSEnvironment.self) }
        wrong("list", "a string or a number") { _ = try body.header("list") }
    }

    @Test func `a required key that is missing is named with an example`() throws {
        let body = try Self.body("{}")
        let problem = #expect(throws: Problem.self) { try body.required("text", "a") }
        #expect(problem?.detail == #"the key "text" is missing; send for example {"text":"a"}"#)
        #expect(problem?.pointer == "/text")
    }

    @Test func `objects of a file are counted from its line on`() throws {
        let text = Array("[{\"text\":\"a\"},\n{\"text\":\"b\"}]".utf8)
        let bodies = try ControlBody.objects(in: text, firstLine: 5, keys: ["text"])
        #expect(try bodies.map { try $0.string("text") } == ["a", "b"])
        let problem = #expect(throws: Problem.self) {
            try ControlBody.objects(in: text, firstLine: 5, keys: ["other"])
        }
        #expect(problem?.detail.hasPrefix("line 5, column 3: ") == true, "\(problem?.detail ?? "")")
        #expect(bodies[1].problem("it is wrong").detail == "line 6, column 1: it is wrong")
        let one = try ControlBody.objects(in: Array(#"{"text":"c"}"#.utf8), keys: ["text"])
        #expect(try one.map { try $0.string("text") } == ["c"])
    }
}
