import PayloadJSON
import Testing

@testable import APNSPayload

struct PayloadTemplateTests {
    private static func rendered(_ template: String, _ values: String, limit: Int = 10_000) throws -> String {
        let template = try PayloadTemplate(Array(template.utf8))
        let document = try JSONDocument(Array(values.utf8))
        return String(decoding: try template.rendered(with: document, limit: limit), as: UTF8.self)
    }

    @Test(arguments: [
        (#"{"a":"Hi {{name}}!"}"#, #"{"name":"Kim"}"#, #"{"a":"Hi Kim!"}"#),
        (#"{"a":"{{name}}"}"#, #"{"name":"Kim"}"#, #"{"a":"Kim"}"#),
        (#"{"a":"{{ n }}","b":["{{n}}","x"]}"#, #"{"n":3}"#, #"{"a":3,"b":[3,"x"]}"#),
        (#"{"a":"{{n}}{{n}}"}"#, #"{"n":3}"#, #"{"a":"33"}"#),
        (#"{"a":"{{n}} of {{m}}"}"#, #"{"n":true,"m":-1.50}"#, #"{"a":"true of -1.50"}"#),
        (#"{"a":"{{items.1.t}}"}"#, #"{"items":[{"t":"x"},{"t":"y"}]}"#, #"{"a":"y"}"#),
        (#"{"a":"{{/i.t/0/b~1c~0}}"}"#, #"{"i.t":[{"b/c~":"y"}]}"#, #"{"a":"y"}"#),
        (#"{"a":"{{o}}"}"#, #"{"o": {"x": [1, "a b"]} }"#, #"{"a":{"x":[1,"a b"]}}"#),
        (#"{"a":"{{n|you}}","b":"Hi {{n| you }}."}"#, #"{"n":null}"#, #"{"a":"you","b":"Hi you."}"#),
        (#"{"a":"{{n|}}"}"#, #"{}"#, #"{"a":""}"#),
        (#"{"a":"\"{{n}}\\"}"#, #"{"n":"\"\\ \u00e9{{x}}"}"#, #"{"a":"\"\"\\ \u00e9{{x}}\\"}"#),
        (#"{"a":"no place }} {"}"#, #"{}"#, #"{"a":"no place }} {"}"#),
        (#"{"a":"x{{i.0}}"}"#, #"{"i":["é"]}"#, #"{"a":"xé"}"#), (#""{{a}}""#, #"{"a":[]}"#, "[]"),
    ])
    func `places are filled, and the result is JSON`(template: String, values: String, payload: String) throws {
        #expect(try Self.rendered(template, values) == payload)
        #expect(throws: Never.self) { try JSONDocument(Array(payload.utf8)) }
    }

    @Test(arguments: [
        (#"{"a":"{{n}}"}"#, "{}", "there is no value for {{n}}"),
        (#"{"a":"{{i.2}}"}"#, #"{"i":[1,2]}"#, "there is no value for {{i.2}}"),
        (#"{"a":"{{i.01}}"}"#, #"{"i":[1,2]}"#, "there is no value for {{i.01}}"),
        (#"{"a":"{{i.-1}}"}"#, #"{"i":[1,2]}"#, "there is no value for {{i.-1}}"),
        (#"{"a":"{{i.n}}"}"#, #"{"i":"n"}"#, "there is no value for {{i.n}}"),
        (#"{"a":"x{{i}}"}"#, #"{"i":[1]}"#, "the value of {{i}} is an array"),
    ])
    func `a value that is missing or does not suit is an error`(template: String, values: String, words: String) {
        let error = #expect(throws: PayloadTemplate.RenderingError.self) { try Self.rendered(template, values) }
        #expect(error.map { "\($0)".hasPrefix(words) } == true, "\(error.map { "\($0)" } ?? "")")
    }

    @Test(arguments: [
        (#"{"a":"é{{n"}"#, 8, "does not end with }}"), (#"{"{{n}}":1}"#, 1, "a key has a place"),
        (#"{"a":"{{}}"}"#, 6, "is not names"), (#"{"a":"{{a..b}}"}"#, 6, "is not names"),
        (#"{"a":"{{a\"b}}"}"#, 6, "neither backslashes"), (#"{"a":"{{ {{a}}"}"#, 6, "nor braces"),
        (#"{"a":{{n}}}"#, 6, "not JSON"),
    ])
    func `a template with a fault has its place`(template: String, offset: Int, words: String) {
        let error = #expect(throws: PayloadTemplateError.self) { try PayloadTemplate(Array(template.utf8)) }
        #expect(error?.offset == offset)
        #expect(error?.detail.contains(words) == true, "\(error?.detail ?? "")")
    }

    @Test func `rendering ends at the limit`() throws {
        let template = #"{"a":"\#(String(repeating: "{{n}}", count: 1000))"}"#
        let value = #"{"n":"\#(String(repeating: "x", count: 1000))"}"#
        let error = #expect(throws: PayloadTemplate.RenderingError.self) {
            try Self.rendered(template, value, limit: 5000)
        }
        #expect(error == .tooLarge(limit: 5000))
        #expect(try Self.rendered(template, #"{"n":"x"}"#, limit: 1008).utf8.count == 1008)
    }

    @Test func `the largest values are named`() throws {
        let template = try PayloadTemplate(Array(#"{"a":"{{a}} {{b}} {{c}} {{d}}","e":"{{a}}"}"#.utf8))
        let document = try JSONDocument(Array(#"{"a":"xxx","b":"xxxxx","c":[1,2,3]}"#.utf8))
        #expect(template.largest(with: document, count: 2).map(\.name) == ["b", "c"])
        #expect(template.largest(with: document, count: 9).map(\.bytes) == [7, 7, 5])
        #expect(template.places.map(\.name) == ["a", "b", "c", "d"])
    }
}
