import Foundation
import Testing

struct ValidateBaselineTests {
    private static let good = #"{"aps":{"alert":"Hi"}}"#
    private static let bad = #"{"aps":"Hi"}"#

    @Test func `what a baseline knows is not reported, from any folder, and what is new is`() async throws {
        try await withCommand { command in
            try command.write(ValidateBaselineTests.bad, to: "p/a.json")
            try command.write("\(ValidateBaselineTests.good)\n\(ValidateBaselineTests.bad)\n", to: "p/b.ndjson")
            let written = try await command.run(["validate", "--write-baseline", "p/baseline.json", "p"])
            #expect(written.status == 0, "\(written.text)")
            #expect(written.errors.contains("wrote 2 findings into p/baseline.json"))
            #expect(!written.output.contains("error:"))
            let same = try await command.run(["validate", "--baseline", "p/baseline.json", "p"])
            #expect(same.status == 0, "\(same.text)")
            #expect(same.output.contains("3 notifications in 2 files checked: no findings; 2 in the baseline"))
            // Moved by a line, and a second one beside it.
            try command.write("\n\(ValidateBaselineTests.bad)\n{\"aps\":2}\n", to: "p/b.ndjson")
            let folder = command.folder.appendingPathComponent("p").path
            let there = try await command.shell("cd \(folder) && apns validate --baseline baseline.json .")
            #expect(there.status == 1, "\(there.text)")
            #expect(there.output.contains("./b.ndjson:3:8: error"))
            #expect(!there.output.contains("./b.ndjson:2") && !there.output.contains("./a.json"))
        }
    }

    @Test func `what no longer occurs is named`() async throws {
        try await withCommand { command in
            for name in ["a.json", "b.json", "c.json"] { try command.write(ValidateBaselineTests.bad, to: name) }
            #expect(
                try await command.run(["validate", "--write-baseline", "base.json", "a.json", "b.json", "c.json"])
                    .status == 0)
            try command.write(#"{"aps":{}}"#, to: "a.json")
            try FileManager.default.removeItem(at: command.folder.appendingPathComponent("b.json"))
            let result = try await command.run(["validate", "--baseline", "base.json", "a.json"])
            #expect(result.status == 0)
            #expect(
                result.errors.contains(
                    "no longer occurs: a.json: aps is a string; it must be an object [aps-object]\n"),
                "\(result.errors)")
            #expect(result.errors.contains("no longer occurs: b.json"))
            #expect(!result.errors.contains("c.json"))
            #expect(
                result.errors.contains(
                    "2 findings of base.json no longer occur; renew it with --write-baseline base.json"))
        }
    }

    @Test func `a baseline that cannot be used ends the command`() async throws {
        try await withCommand { command in
            try command.write(ValidateBaselineTests.bad, to: "a.json")
            let none = try await command.run(["validate", "--baseline", "none.json", "a.json"])
            #expect(none.status == 2)
            #expect(
                none.errors.contains(
                    "there is no baseline none.json; make it with: apns validate --write-baseline none.json"))
            let other = try await command.run(["validate", "--baseline", "a.json", "a.json"])
            #expect(other.status == 2 && other.errors.contains("a.json is not a baseline of this version"))
            let both = try await command.run(["validate", "--baseline", "x", "--write-baseline", "x", "a.json"])
            #expect(both.status == 64)
        }
    }

    @Test func `a baseline is not written when something could not be checked`() async throws {
        try await withCommand { command in
            try command.write(ValidateBaselineTests.bad, to: "a.json")
            let result = try await command.run(["validate", "--write-baseline", "base.json", "a.json", "gone.json"])
            #expect(result.status == 2)
            #expect(result.errors.contains("base.json was not written, because not everything could be checked"))
            let left = try FileManager.default.contentsOfDirectory(atPath: command.folder.path)
            #expect(!left.contains { $0.hasPrefix("base.json") })
        }
    }
}
