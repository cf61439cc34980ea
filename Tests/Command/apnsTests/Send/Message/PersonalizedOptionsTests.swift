import ArgumentParser
import Testing

@testable import apns

struct PersonalizedOptionsTests {
    private static func payload(_ arguments: [String]) throws -> String {
        guard case .content(let content)? = try MessageOptions.parse(arguments).source() else { return "no content" }
        return String(decoding: try content.payload(), as: UTF8.self)
    }

    @Test func `options make a personalized push`() throws {
        let arguments = [
            "--title", "T", "--personalized", "--point", "a", "--point", "b", "--context", "category=Kettles=1",
            "--context", "anchorId=7300215", "--link", "https://www.example.com/c",
        ]
        #expect(
            try Self.payload(arguments) == """
                {"aps":{"alert":{"title":"T"}},"personalization":{"context":{"anchorId":"7300215",\
                "category":"Kettles=1"},"link":"https://www.example.com/c","points":["a","b"]},"type":"PERSONALIZED"}
                """)
        #expect(
            try MessageOptions.parse(arguments).fingerprint
                != MessageOptions.parse(Array(arguments.dropLast(2))).fingerprint)
    }

    @Test(arguments: [
        (["--alert", "Hi", "--point", "a"], "--point needs --personalized"),
        (["--alert", "Hi", "--context", "a=b"], "--context needs --personalized"),
        (["--alert", "Hi", "--link", "https://a"], "--link needs --personalized"),
        (["--personalized"], "needs an alert"), (["--badge", "1", "--personalized"], "needs an alert"),
        (["--custom", "a=1", "--push-type", "background", "--personalized"], "needs an alert"),
        (["--hint", "TEST", "--personalized"], "leave out the other one"),
        (["--payload", "a.json", "--personalized"], "leave out the other one"),
        (["--alert", "Hi", "--personalized", "--point", "a b"], #""a b" cannot be the name of a point"#),
        (["--alert", "Hi", "--personalized", "--context", "a"], "must have the form KEY=VALUE"),
        (["--alert", "Hi", "--personalized", "--context", "a=1", "--context", "a=2"], "is there twice"),
        (["--alert", "Hi", "--personalized", "--context", "individualId=1"], "says who the person is"),
        (["--alert", "Hi", "--personalized", "--link", "http://a"], "does not begin with https://"),
        (
            ["--alert", "Hi", "--personalized", "--custom", "type=1"],
            #""type" is a key of the personalized push itself"#
        ),
    ])
    func `options that make none are refused`(arguments: [String], words: String) {
        let error = #expect(throws: (any Error).self) { try Self.payload(arguments) }
        #expect(error.map { "\($0)".contains(words) } == true, "\(error.map { "\($0)" } ?? "")")
    }
}
