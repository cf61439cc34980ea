import APNSPayload
import ArgumentParser
import Testing

@testable import apns

struct MessageOptionsTests {
    private static func source(_ arguments: [String]) throws -> MessageOptions.Source? {
        try MessageOptions.parse(arguments).source()
    }

    private static func payload(_ arguments: [String]) throws -> String? {
        switch try source(arguments) {
        case .content(let content): String(decoding: try content.payload(), as: UTF8.self)
        case .hint(let hint): try hint.payloads().map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
        case .payload(let payload): "payload \(payload)"
        case nil: nil
        }
    }

    @Test(arguments: [
        (["--alert", "Hi"], #"{"aps":{"alert":"Hi"}}"#),
        (
            ["--title", "T", "--subtitle", "S", "--body", "B", "--sound", "default", "--badge", "3"],
            #"{"aps":{"alert":{"title":"T","subtitle":"S","body":"B"},"badge":3,"sound":"default"}}"#
        ),
        (["--title", "T", "--alert", "B"], #"{"aps":{"alert":{"title":"T","body":"B"}}}"#),
        (["--badge", "0"], #"{"aps":{"badge":0}}"#), (["--sound", "a.caf"], #"{"aps":{"sound":"a.caf"}}"#),
        (
            ["--body", "B", "--thread-id", "t", "--category", "c", "--custom", "b=[1]", "--custom", #"a="x=y""#],
            #"{"aps":{"alert":"B","thread-id":"t","category":"c"},"a":"x=y","b":[1]}"#
        ),
        (
            ["--push-type", "background", "--custom", #"sync={"since":7}"#],
            #"{"aps":{"content-available":1},"sync":{"since":7}}"#
        ),
        (["--payload", "a.json"], "payload a.json"),
        (
            ["--hint", "TEST"],
            #"{"aps":{"alert":"Test Push Notification","badge":1,"sound":"default"},"message":"Hello from Salesforce","type":"TEST"}"#
        ),
        (
            ["--hint", "TASKS", "--custom", #"from="org""#, "--record", "a00xx0000000001AAA"],
            #"{"aps":{"content-available":1},"type":"TASKS","recordIds":["a00xx0000000001AAA"],"from":"org"}"#
        ),
        (
            ["--hint", "REGULAR_SYNC", "--custom", #"object="Interaction""#],
            #"{"aps":{"content-available":1},"object":"Interaction","type":"REGULAR_SYNC"}"#
        ),
    ])
    func `options make a payload`(arguments: [String], payload: String) throws {
        #expect(try MessageOptionsTests.payload(arguments) == payload)
    }

    @Test func `a payload that begins with a brace is JSON, and another one a path`() throws {
        let text = try MessageOptions.text(of: #" {"aps":{}}"#)
        #expect(text.name == "--payload" && text.bytes == Array(#" {"aps":{}}"#.utf8))
        let error = #expect(throws: CommandError.self) { try MessageOptions.text(of: "/nowhere/{") }
        #expect(error?.message.contains("it should be a payload") == true)
    }

    @Test func `no option, no source`() throws {
        #expect(try MessageOptionsTests.source(["--push-type", "alert"]) == nil)
    }

    @Test(arguments: [
        (["--alert", "a", "--body", "b"], "--alert and --body are both"),
        (["--title", "a", "--payload", "{}"], "--payload and --title both give"),
        (["--hint", "TEST", "--badge", "1"], "--hint and --badge both give"),
        (["--hint", "TEST", "--record", "a"], "names no records"),
        (["--hint", "TEST", "--custom", "a=1"], "leave out --custom"),
        (["--hint", "TASKS", "--custom", #"type="A""#], "gives the key type itself"),
        (["--hint", "a b"], "without spaces"), (["--hint", "test"], "did you mean TEST?"),
        (["--subtitle", "a", "--body", "b"], "--subtitle needs --title"),
        (["--thread-id", "a", "--custom", "b=1"], "--thread-id and --custom needs something to show"),
        (["--custom", "a=1"], "--push-type background"),
        (["--custom", "a=1", "--push-type", "alert"], "--push-type background"),
        (["--alert", "x", "--custom", "a"], "KEY=JSON"), (["--alert", "x", "--custom", "=1"], "KEY=JSON"),
        (["--alert", "x", "--custom", "a=b c"], #"a string has quotes: 'a="b c"'"#),
        (["--alert", "x", "--custom", "a=null"], "leave the value out"),
        (["--alert", "x", "--custom", "a=1", "--custom", "a=2"], "given twice"),
        (["--alert", "x", "--custom", "aps={}"], "Apple's key"),
    ])
    func `options that do not belong together are refused with a sentence`(arguments: [String], says: String) {
        let error = #expect(throws: ValidationError.self) { try MessageOptionsTests.source(arguments) }
        #expect(error?.message.contains(says) == true, "\(String(describing: error))")
    }

    @Test func `the fingerprint is that of former versions for what these had, and knows every new option`() throws {
        let plain = try MessageOptions.parse(["--alert", "Hi", "--expiration", "once"]).fingerprint
        #expect(plain == "-\n-\n0\n-\n-\nHi\n-\n\n-")
        var seen: Set<String> = [plain]
        for more in [
            ["--title", "a"], ["--title", "a", "--subtitle", "a"], ["--sound", "a"], ["--badge", "1"],
            ["--thread-id", "a"], ["--category", "a"], ["--custom", "a=1"],
        ] {
            let options = try MessageOptions.parse(["--alert", "Hi", "--expiration", "once"] + more)
            #expect(seen.insert(options.fingerprint).inserted, "\(more)")
        }
        #expect(seen.insert(try MessageOptions.parse(["--payload", "{}"]).fingerprint).inserted)
        #expect(seen.insert(try MessageOptions.parse(["--payload", "{ }"]).fingerprint).inserted)
    }
}
