import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@Suite(.serialized, .timeLimit(.minutes(10))) struct ValidateWatchTests {
    private static let good = #"{"aps":{"alert":"Hi"}}"#
    private static let bad = #"{"aps":"Hi"}"#

    @Test func `what changes is checked again, and the status is that of the end`() async throws {
        try await withCommand { command in
            try command.write(ValidateWatchTests.bad, to: "payloads/a.json")
            try command.write(ValidateWatchTests.good, to: "payloads/b.json")
            let watch = try command.start(["validate", "--watch"])
            try await watch.line("2 notifications in 2 files checked: 1 error in 1 file")
            try await watch.errorLine("watching 2 files; Ctrl-C ends this")
            // Only what changed.
            try command.write(#"{"aps":12}"#, to: "payloads/b.json")
            try await watch.line("payloads/b.json:1:8: error: aps is a number")
            try await watch.line("1 notification in 1 file checked: 1 error")
            try await watch.errorLine("watching")
            // A new file, and one that goes.
            try command.write(ValidateWatchTests.bad + "  ", to: "payloads/deep/c.json")
            try await watch.line("payloads/deep/c.json:1:8: error")
            try await watch.errorLine("watching 3 files")
            try FileManager.default.removeItem(at: command.folder.appendingPathComponent("payloads/deep/c.json"))
            try await watch.errorLine("watching 2 files")
            // A configuration concerns all.
            try command.write("rules: {aps-object: off}", to: "payloads/.apns-validate.yaml")
            try await watch.line("2 notifications in 2 files checked: no findings")
            watch.send(SIGINT)
            #expect(await watch.status() == 0)
        }
    }

    @Test func `it ends with 1 while there are findings`() async throws {
        try await withCommand { command in
            try command.write(ValidateWatchTests.bad, to: "a.json")
            let watch = try command.start(["validate", "--watch", "a.json"])
            try await watch.errorLine("watching 1 file")
            watch.send(SIGTERM)
            #expect(await watch.status() == 1)
        }
    }
}
