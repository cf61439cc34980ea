import Foundation
import Testing

@testable import Optimization

struct OptimizationStorageTests {
    private func withFile(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("optimization-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.appendingPathComponent("values").path)
    }

    @Test func `a file keeps values, and only its owner can read it`() throws {
        try withFile { file in
            let storage = FileOptimizationStorage(file: file)
            #expect(try storage.load().isEmpty)
            try storage.save(["profile": "{\"id\":\"p\"}", "consent": "accepted"])
            try storage.save(["profile": nil, "anonymousId": "ä\n"])
            #expect(try FileOptimizationStorage(file: file).load() == ["consent": "accepted", "anonymousId": "ä\n"])
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: (file as NSString).deletingLastPathComponent).count
                    == 1)
        }
    }

    @Test func `a damaged file is set aside`() throws {
        try withFile { file in
            try Data("{\"consent\":".utf8).write(to: URL(fileURLWithPath: file))
            let storage = FileOptimizationStorage(file: file)
            #expect(try storage.load().isEmpty)
            #expect(FileManager.default.fileExists(atPath: file + ".damaged"))
            try storage.save(["consent": "denied"])
            #expect(try storage.load() == ["consent": "denied"])
        }
    }

    @Test func `a file that cannot be written keeps what was there`() throws {
        try withFile { file in
            let error = #expect(throws: OptimizationError.self) {
                try FileOptimizationStorage(file: file + "/missing/values").save(["a": "b"])
            }
            #expect(error?.code == .storage && error?.detail.contains("missing/values") == true)
            // A folder is not a file.
            try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
            #expect(throws: OptimizationError.self) { try FileOptimizationStorage(file: file).load() }
        }
    }

    @Test func `user defaults have the prefix of the original`() throws {
        let suite = "optimization-\(UUID().uuidString)"
        let defaults = try #require(UserDefaults(suiteName: suite))
        defer { defaults.removePersistentDomain(forName: suite) }
        let storage = UserDefaultsOptimizationStorage(defaults)
        #expect(storage.load().isEmpty)
        storage.save(["consent": "accepted", "profile": "{}"])
        #expect(defaults.string(forKey: "com.contentful.optimization.consent") == "accepted")
        storage.save(["profile": nil])
        #expect(storage.load() == ["consent": "accepted"])
    }
}
