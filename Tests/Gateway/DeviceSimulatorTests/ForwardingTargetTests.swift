import Foundation
import Testing

@testable import DeviceSimulator

struct ForwardingTargetTests {
    static let envelope =
        #"{"token":"ab12ab12ab12ef90","apns-topic":"com.example.agent","apns-push-type":"alert","apns-priority":5,"#
        + #""apns-collapse-id":"one","apns-id":"X","apns-unique-id":"u","payload":{"aps":{"alert":"Hi"}}}"#

    static func push(_ envelope: String = envelope) throws -> DeliveredPush {
        try #require(DeliveredPush(Array(envelope.utf8), id: nil))
    }

    static func push(type: String, payload: String) throws -> DeliveredPush {
        try push(
            #"{"apns-unique-id":"u","apns-topic":"com.example.agent","apns-push-type":"\#(type)","payload":\#(payload)}"#
        )
    }

    private static let simulator = ForwardingTarget.simulator(device: "booted", bundleID: nil)

    @Test func `a command gets the envelope, and the facts in its environment`() throws {
        let program = try ForwardingTarget.command("cat", printsToErrors: false).program(
            for: try ForwardingTargetTests.push(), attempt: 2,
            environment: ["HOME": "/h", "APNS_TOPIC": "another", "APNS_CHANNEL_ID": "stale"])
        #expect(program.file == "/bin/sh" && program.arguments == ["-c", "cat"] && program.output == .passedOn)
        #expect(program.input == .standardInput(Array((ForwardingTargetTests.envelope + "\n").utf8)))
        #expect(
            program.environment == [
                "HOME": "/h", "APNS_UNIQUE_ID": "u", "APNS_ID": "X", "APNS_PUSH_TYPE": "alert",
                "APNS_TOPIC": "com.example.agent", "APNS_PRIORITY": "5", "APNS_COLLAPSE_ID": "one",
                "APNS_DEVICE_TOKEN": "ab12…ef90", "APNS_ATTEMPT": "2",
            ])
    }

    @Test func `a simulator's payload names the app`() throws {
        let push = try ForwardingTargetTests.push()
        let payload = try ForwardingTarget.simulatorPayload(push, "com.example.debug")
        #expect(
            String(decoding: payload, as: UTF8.self)
                == #"{"Simulator Target Bundle":"com.example.debug","aps":{"alert":"Hi"}}"#)
    }

    @Test func `a payload that names an app itself, or is too long for the key, is not changed`() throws {
        let named = #"{"aps":{},"Simulator Target Bundle":"com.example.own"}"#
        let large = #"{"aps":{"alert":"\#(String(repeating: "x", count: 4060))"}}"#
        for payload in [named, large] {
            let push = try ForwardingTargetTests.push(type: "alert", payload: payload)
            #expect(try ForwardingTarget.simulatorPayload(push, "com.example.debug") == Array(payload.utf8))
        }
    }

    @Test(arguments: [#"[]"#, #"{"aps":1}"#, #"{"type":"X"}"#, "null"])
    func `what simctl would refuse is not handed to it`(payload: String) throws {
        let push = try ForwardingTargetTests.push(type: "alert", payload: payload)
        #expect(throws: ForwardingTarget.Rejection.self) {
            try ForwardingTarget.simulatorPayload(push, "com.example.debug")
        }
    }

    @Test(arguments: ["voip", "liveactivity", "complication", "pushtotalk"])
    func `simctl takes no push of another type`(type: String) throws {
        let folder = try Folder()
        try folder.write("", to: "xcrun", mode: 0o700)
        let push = try ForwardingTargetTests.push(type: type, payload: #"{"aps":{}}"#)
        let refusal = #expect(throws: ForwardingTarget.Rejection.self) {
            try ForwardingTargetTests.simulator.program(for: push, attempt: 1, environment: ["PATH": folder.path])
        }
        #expect(refusal?.message.contains(type) == true)
    }

    @Test func `without xcrun on the PATH that is what is said`() throws {
        let folder = try Folder()
        // Neither a folder of that name nor a file that may not be run is one.
        try folder.write("#!/bin/sh\n", to: "xcrun", mode: 0o600)
        #expect(ForwardingTargetTests.simulator.missing(path: folder.path)?.contains("Xcode") == true)
        #expect(ForwardingTarget.command("cat", printsToErrors: false).missing(path: "") == nil)
    }
}

/// A folder that goes with the test.
final class Folder {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("apns-onward-\(UUID().uuidString)").path

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to name: String, mode: Int) throws {
        let file = "\(path)/\(name)"
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    }

    /// A child writes the program. A descriptor of this process would be in every child that another test starts
    /// meanwhile, and a file that somebody may write cannot be run.
    func writeProgram(_ text: String, to name: String) async throws {
        let program = ChildProgram(
            file: "/bin/sh", arguments: ["-c", "cat >\"$0\" && chmod 700 \"$0\"", "\(path)/\(name)"],
            environment: ["PATH": "/usr/bin:/bin"], input: .standardInput(Array(text.utf8)), output: .kept)
        let end = try await ProgramRun(program).end(within: .seconds(300)) { try await Task.sleep(for: $0) }
        try #require(end == .exited(0))
    }

    func text(_ name: String) -> String {
        (try? String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)) ?? ""
    }
}
