import Foundation
import PushDispatch
import PushDispatchTesting
import Testing

struct PushFileTests {
    @Test func `payloads from values, bytes, a dictionary, a file and an apns file are the same`() throws {
        let wanted = Push.silent()
        let json = wanted.json
        #expect(Push(json: json).payload == wanted.payload)
        #expect(Push(userInfo: wanted.userInfo).payload["accountId"] == wanted["accountId"])
        var members = wanted.payload
        members["Simulator Target Bundle"] = "com.example.agent"
        try withFolder { folder in
            let bare = try folder.write("account.json", String(decoding: json, as: UTF8.self))
            #expect(try Push(file: bare).payload == wanted.payload)
            let simulator = try folder.write("account.apns", String(decoding: Push(members).json, as: UTF8.self))
            #expect(try Push(file: simulator).payload == wanted.payload)
        }
    }

    @Test func `a path is relative to the test's file`() throws {
        #expect(try Push(file: "../../../payloads/pass/alert-arabic.json").aps.hasAlert)
    }

    @Test func `userInfo is the dictionary that the system passes`() throws {
        let push = Push(["a": [1, true, .null, .number(1.5)], "b": ["c": "d"]])
        let again = Push(userInfo: push.userInfo)
        #expect(again.issues.isEmpty)
        #expect(again["b"] == ["c": "d"] && again["a"]?.array?.count == 4 && again["a"]?.array?[2] == .null)
    }

    @Test(arguments: [
        ("{\n  \"aps\": {\n    oops\n", "bad.json:3:5: not JSON"), ("[]", "bad.json:1:1: is an array"),
        ("", "bad.json:1:1"),
    ])
    func `an error in a file names line and column`(text: String, message: String) throws {
        try withFolder { folder in
            let path = try folder.write("bad.json", text)
            let error = #expect(throws: PhoneError.self) { try Push(file: path) }
            #expect(error?.code == .badPayload && error?.detail.contains(message) == true)
        }
    }

    @Test func `a missing file is an error`() {
        let error = #expect(throws: PhoneError.self) { try Push(file: "no-such.apns") }
        #expect(error?.code == .unreadableFile && error?.detail.hasPrefix("no-such.apns ") == true)
    }

    @Test func `a payload that APNs does not accept is an error`() async throws {
        let handler = CountingHandler()
        let phone = TestPhone { handler.app($0) }
        for push in [Push(json: Data("oops".utf8)), Push(["text": .string(String(repeating: "x", count: 4_096))])] {
            let error = await #expect(throws: PhoneError.self) { try await phone.receive(push) }
            #expect(error?.code == .badPayload)
        }
        let empty = try await phone.receive(Push(["aps": [:]]))
        #expect(empty.isDropped && empty.whyNoFetch?.contains("content-available") == true)
        #expect(handler.count == 0)
    }
}

private struct Folder {
    let url: URL

    func write(_ name: String, _ text: String) throws -> String {
        let file = url.appendingPathComponent(name)
        try Data(text.utf8).write(to: file)
        return file.path
    }
}

private func withFolder(_ body: (Folder) throws -> Void) throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("phone-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: url) }
    try body(Folder(url: url))
}
