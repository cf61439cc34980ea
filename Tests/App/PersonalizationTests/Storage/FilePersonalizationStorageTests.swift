import EventDelivery
import Foundation
import Testing

@testable import Personalization

struct FilePersonalizationStorageTests {
    private let folder: URL
    private let storage: FilePersonalizationStorage

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("personalization-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        storage = FilePersonalizationStorage(file: folder.appendingPathComponent("state").path)
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private func damage(_ change: (inout Data) -> Void) throws {
        var data = try Data(contentsOf: URL(fileURLWithPath: storage.file))
        change(&data)
        try data.write(to: URL(fileURLWithPath: storage.file))
    }

    @Test func `the state is kept in a private file`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try storage.load() == nil)
        try storage.save(Array("one".utf8))
        try storage.save(Array("two".utf8))
        #expect(try storage.load() == LoadedState(bytes: Array("two".utf8)))
        #expect(try mode(storage.file) == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["state"])
    }

    @Test func `a file that is cut off or changed anywhere is set aside`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try storage.save(Array(#"{"deviceID":"x"}"#.utf8))
        let good = try Data(contentsOf: URL(fileURLWithPath: storage.file))
        for index in good.indices {
            for isCut in [true, false] {
                try good.write(to: URL(fileURLWithPath: storage.file))
                try damage { data in
                    if isCut { data.removeSubrange(index...) } else { data[index] ^= 1 }
                }
                #expect(try storage.load() == LoadedState(bytes: nil, setAside: storage.file + ".damaged"))
            }
        }
    }

    @Test func `a file of a later version is left alone`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let text = Data("personalization-state 2 0000000000000000\n{}".utf8)
        try text.write(to: URL(fileURLWithPath: storage.file))
        let error = #expect(throws: PersonalizationError.self) { try storage.load() }
        #expect(error?.code == .storage && error?.detail.contains("later version") == true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: storage.file)) == text)
    }

    @Test func `a folder that is missing is a clear error`() {
        let storage = FilePersonalizationStorage(file: folder.appendingPathComponent("none/state").path)
        let error = #expect(throws: PersonalizationError.self) { try storage.save([1]) }
        #expect(error?.detail.contains("existing folder") == true)
        try? FileManager.default.removeItem(at: folder)
    }

    @Test func `a state that is too large is not stored, and the one before stays`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try storage.save([1])
        let header = "personalization-state 1 0123456789abcdef\n".utf8.count
        let largest = [UInt8](repeating: 7, count: FilePersonalizationStorage.maximumBytes - header)
        let error = #expect(throws: PersonalizationError.self) { try storage.save(largest + [7]) }
        #expect(error?.code == .storage && error?.detail.contains("bytes") == true)
        #expect(try storage.load()?.bytes == [1])
        try storage.save(largest)
        #expect(try storage.load()?.bytes == largest)
    }

    @Test func `the largest state of a client can be read again`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let app = try TestApp { $0.maximumImpressions = .max }
        let events = FullEventStore()
        app.events = events
        app.storage = storage
        app.restart()
        try await app.client.didBecomeActive()
        // In JSON in JSON each quotation mark has four bytes.
        let quotes = String(repeating: "\"", count: 240)
        for number in 0..<2_140 { try await app.client.appeared(EngagementContent(fixed: quotes + "\(number)")) }
        events.allow(0)
        for number in 0..<20 {
            let profile = Dictionary(
                uniqueKeysWithValues: (0..<60).map {
                    ("a\($0)", Optional("\(number)" + quotes + quotes + quotes + quotes))
                })
            try? await app.client.setProfileAttributes(profile)
        }
        await app.client.didEnterBackground(within: 0)
        let id = try await app.client.identity().deviceID
        let refused = app.reports.all.filter { if case .notKept(kind: "identity", _) = $0 { true } else { false } }
        #expect(refused.count > 5)
        #expect(
            !app.reports.all.contains { if case .stateNotStored(let error) = $0 { error.store == nil } else { false } })
        app.restart()
        #expect(try await app.client.identity().deviceID == id)
        #expect(!app.reports.all.contains { if case .stateDamaged = $0 { true } else { false } })
    }

    @Test func `what an interrupted process has left does not stop the next one`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try storage.save([1])
        try Data([9]).write(to: URL(fileURLWithPath: storage.file + ".new"))
        try storage.save([2])
        #expect(try storage.load()?.bytes == [2])
    }

    private func client(with state: String) throws -> TestApp {
        try storage.save(Array(state.utf8))
        let app = try TestApp()
        app.storage = storage
        app.restart()
        return app
    }

    @Test func `a state of another version is read, with members added or missing`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let app = try client(
            with:
                #"{"deviceID":"d-1","later":{"x":[1]},"session":7,"profile":{"isKnown":true,"attributes":{"userId":"u-1"}}}"#
        )
        let identity = try await app.client.identity()
        #expect(identity.deviceID == "d-1" && identity.userID == "u-1" && identity.generation == 0)
        #expect(app.reports.all.isEmpty)
    }

    @Test(arguments: [
        "", "[]", #"{"deviceID":7}"#, #"{"deviceID":"d-1","profile":"x"}"#, #"{"deviceID":"d","outbox":[{}]}"#,
    ])
    func `a state of another form is set aside, and the person's answer holds`(_ state: String) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let app = try client(with: state)
        try await app.queue.setConsent(.optedOut, for: "personalization")
        #expect(try await app.client.identity().deviceID != "d-1")
        #expect(app.reports.all == [.stateDamaged(setAside: storage.file + ".damaged")])
        #expect(try String(contentsOfFile: storage.file + ".damaged", encoding: .utf8).hasSuffix("\n" + state))
        #expect(await app.client.consent() == .optedOut)
        await #expect(throws: PersonalizationError.self) { try await app.client.track(.custom("a")) }
    }

    @Test func `what was set aside is removed when a person logs out, opts out or somebody else logs in`() async throws
    {
        defer { try? FileManager.default.removeItem(at: folder) }
        for action in 0..<3 {
            let app = try client(with: "{")
            try await app.client.setConsent(.optedIn)
            try await app.client.logIn(KnownPerson(userID: "u-1"))
            #expect(FileManager.default.fileExists(atPath: storage.file + ".damaged"))
            switch action {
            case 0: try await app.client.logOut()
            case 1: try await app.client.setConsent(.optedOut)
            default: try await app.client.logIn(KnownPerson(userID: "u-2"))
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["state"])
        }
    }

    @Test func `damage is reported although the new state cannot be stored`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let app = try client(with: "{")
        let obstacle = storage.file + ".new"
        try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
        await #expect(throws: PersonalizationError.self) { try await app.client.identity() }
        try FileManager.default.removeItem(atPath: obstacle)
        _ = try await app.client.identity()
        #expect(app.reports.all == [.stateDamaged(setAside: storage.file + ".damaged")])
    }

    @Test func `a file that is much too large is set aside`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let large = Data(repeating: 7, count: FilePersonalizationStorage.maximumBytes + 1)
        try large.write(to: URL(fileURLWithPath: storage.file))
        #expect(try storage.load() == LoadedState(bytes: nil, setAside: storage.file + ".damaged"))
        #expect(try storage.load() == nil)
    }

    @Test func `a damaged state makes a new installation, and is reported`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let app = try TestApp()
        app.storage = storage
        app.restart()
        try await app.client.logIn(KnownPerson(userID: "u-1"))
        let before = try await app.client.identity()
        try damage { $0[$0.count - 2] ^= 1 }
        app.restart()
        let after = try await app.client.identity()
        #expect(after.deviceID != before.deviceID && after.userID == nil)
        #expect(app.reports.all == [.stateDamaged(setAside: storage.file + ".damaged")])
        #expect(try mode(storage.file + ".damaged") == 0o600)
    }
}
