import Foundation
import SelectiveSync
import Testing

struct FileTokenStorageTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tokens-\(UUID())")
    private var file: URL { folder.appendingPathComponent("tokens.json") }
    private let tokens = CRMWorld.tokens(of: "ada")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private var mode: Int {
        get throws {
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            return try #require(attributes[.posixPermissions] as? Int)
        }
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path) }
    }

    @Test func `tokens are kept with their user, replaced and removed`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let storage = FileTokenStorage(file: file)
        #expect(try await storage.load() == nil)
        try await storage.save(tokens)
        #expect(try await FileTokenStorage(file: file).load() == tokens)
        var fresh = tokens
        fresh.accessToken = "fresh"
        try await storage.save(fresh)
        #expect(try await storage.load()?.accessToken == "fresh")
        #expect(try names == ["tokens.json"])
        try await storage.clear()
        try await storage.clear()
        #expect(try await storage.load() == nil)
        #expect(try names.isEmpty)
    }

    @Test func `only the owner can read the file, also where it replaces one that others can read`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let isCreated = FileManager.default.createFile(
            atPath: file.path, contents: Data("{}".utf8), attributes: [.posixPermissions: 0o644])
        #expect(isCreated)
        try await FileTokenStorage(file: file).save(tokens)
        #expect(try mode == 0o600)
    }

    @Test func `a file that is replaced stays as it is for those who read it`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let storage = FileTokenStorage(file: file)
        try await storage.save(tokens)
        let old = try FileHandle(forReadingFrom: file)
        defer { try? old.close() }
        var fresh = tokens
        fresh.accessToken = "a much longer access token than before"
        try await storage.save(fresh)
        // A file that is written in place would show the new tokens, or a part of them.
        let seen = try #require(try old.readToEnd())
        #expect(try JSONDecoder().decode(OAuthTokens.self, from: seen) == tokens)
    }

    @Test func `tokens that cannot be written leave those before, and no other file`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        // A folder with this name cannot be replaced by a file.
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        let storage = FileTokenStorage(file: file)
        await #expect { try await storage.save(tokens) } throws: { ($0 as? TokenStorageError)?.code == .notWritten }
        #expect(try names == ["tokens.json"])
        await #expect { try await storage.load() } throws: { ($0 as? TokenStorageError)?.code == .notRead }
        let elsewhere = FileTokenStorage(file: folder.appendingPathComponent("missing/tokens.json"))
        await #expect { try await elsewhere.save(tokens) } throws: { ($0 as? TokenStorageError)?.code == .notWritten }
    }

    @Test(arguments: ["", "{", "[]", #"{"accessToken":"a"}"#])
    func `what cannot be read is an error and not a log-out`(text: String) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(text.utf8).write(to: file)
        await #expect { try await FileTokenStorage(file: file).load() } throws: { error in
            (error as? TokenStorageError)?.code == .unreadable && !"\(error)".contains("accessToken")
        }
    }
}
