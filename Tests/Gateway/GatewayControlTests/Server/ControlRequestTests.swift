import GatewayJSON
import Testing

@testable import GatewayControl

struct ControlRequestTests {
    private static func parameters(_ query: String, _ names: [String] = ["a", "b"]) throws -> [String: String] {
        try ControlRequest(method: "GET", path: "/", query: query).readParameters(names)
    }

    @Test(
        arguments: [
            ("", [:]), ("&&", [:]), ("a=1&b=2", ["a": "1", "b": "2"]), ("a", ["a": ""]), ("a=b=c", ["a": "b=c"]),
            ("a=x%20y+z", ["a": "x y z"]), ("%61=%C3%A9", ["a": "é"]),
        ] as [(String, [String: String])])
    func `a query is decoded`(query: String, wanted: [String: String]) throws {
        #expect(try Self.parameters(query) == wanted)
    }

    @Test(arguments: ["a=%", "a=%4", "a=%zz", "a=%ff", "%=1"])
    func `an invalid escape is refused`(query: String) {
        let problem = #expect(throws: Problem.self) { try Self.parameters(query) }
        #expect(problem?.status == 400)
        #expect(problem?.detail.contains("% that is not followed by two hexadecimal digits") == true)
    }

    @Test(arguments: [
        ("c=1", "c", "is not known here; known are a, b"), ("a=1&a=2", "a", "appears twice"),
        (String(repeating: "x", count: 100), String(repeating: "x", count: 64), "is not known here"),
    ])
    func `an unknown or repeated parameter is named`(query: String, name: String, wanted: String) {
        let problem = #expect(throws: Problem.self) { try Self.parameters(query) }
        #expect(problem?.parameter == name)
        #expect(problem?.detail.contains(wanted) == true, "\(problem?.detail ?? "")")
    }

    @Test func `a path without parameters says so`() {
        let problem = #expect(throws: Problem.self) { try Self.parameters("a=1", []) }
        #expect(problem?.detail.hasSuffix("this path takes none") == true)
    }
}
