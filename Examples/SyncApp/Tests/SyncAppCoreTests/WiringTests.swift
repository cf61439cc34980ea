import Foundation
import Testing

struct WiringTests {
    /// What a reader counts: lines that are neither empty nor only a comment.
    private func lines(_ file: String) throws -> Int {
        let example = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: example.appendingPathComponent(file), encoding: .utf8)
        return text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .count { !$0.isEmpty && !$0.hasPrefix("//") }
    }

    @Test func `the app is connected with the system and the CRM in 60 lines`() throws {
        let delegate = try lines("Sources/SyncAppUI/AppDelegate.swift")
        let configuration = try lines("Sources/SyncAppCore/Configuration.swift")
        #expect(delegate > 10 && configuration > 10)
        #expect(delegate + configuration <= 60)
    }
}
