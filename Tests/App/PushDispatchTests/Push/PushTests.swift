import Foundation
import PushDispatch
import Testing

struct PushTests {
    static let sample = #"""
        {"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":"001xx000003DGb2AAG","changedFields":"Name"}
        """#

    @Test func `dictionary and data make the same push`() throws {
        let object = try JSONSerialization.jsonObject(with: Data(Self.sample.utf8))
        let userInfo = try #require(object as? [String: Any])
        let push = Push(userInfo: userInfo)
        #expect(push.issues.isEmpty)
        #expect(push.payload == Push(json: Data(Self.sample.utf8)).payload)
    }

    @Test(arguments: [
        NSNumber(value: 1), NSNumber(value: true), NSNumber(value: 1.0), NSNumber(value: UInt64(1)),
        NSNumber(value: Int8(1)),
    ])
    func `content-available is on for every type of number`(number: NSNumber) {
        #expect(Push(userInfo: ["aps": ["content-available": number]]).aps.isSilent)
    }

    @Test(arguments: ["0", "false", "2", "\"1\"", "null", "[1]"])
    func `content-available is off for anything but 1 and true`(value: String) {
        #expect(!Push(json: Data(#"{"aps":{"content-available":\#(value)}}"#.utf8)).aps.isContentAvailable)
    }

    @Test func `a visible push is not silent`() {
        let push = Push(userInfo: [
            "aps": ["alert": "Hi", "sound": "default", "content-available": true, "category": "c"]
        ])
        #expect(push.aps.hasAlert && push.aps.hasSound && !push.aps.hasBadge)
        #expect(push.aps.isContentAvailable && !push.aps.isSilent)
        #expect(push.aps.category == "c")
    }

    @Test func `a payload without aps is legal`() {
        let push = Push(json: Data(#"{"type":"TEST"}"#.utf8))
        #expect(push.issues.isEmpty && !push.aps.isContentAvailable)
    }

    @Test func `unknown keys survive reading and writing`() {
        let text = #"{"aps":{"new-key":[1,{"deep":null}]},"custom":{"a":[true,"x",2.5]},"n":9007199254740993}"#
        #expect(String(decoding: Push(json: Data(text.utf8)).json, as: UTF8.self) == text)
    }

    @Test func `a value that no JSON can hold is left out and reported`() {
        let push = Push(userInfo: ["when": Date(timeIntervalSince1970: 0), 7: "x", "type": "TEST", "n": Double.nan])
        #expect(push.payload == ["type": "TEST"])
        #expect(push.issues.map(\.code) == [.unsupportedValue, .unsupportedValue, .unsupportedValue])
    }

    @Test func `integers beyond 64 bits with a sign become floating-point numbers`() {
        let push = Push(userInfo: ["a": NSNumber(value: UInt64.max), "b": NSNumber(value: Int64.min)])
        #expect(push["a"] == .number(Double(UInt64.max)))
        #expect(push["b"] == .integer(.min))
    }

    @Test(arguments: ["", "[]", "\"x\"", "{", "{\"a\":}"]) func `what is no JSON object is reported`(text: String) {
        let push = Push(json: Data(text.utf8))
        #expect(push.payload.isEmpty)
        #expect(push.issues.map(\.code) == [.notJSON])
    }
}
