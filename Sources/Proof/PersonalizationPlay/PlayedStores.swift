import AppPlay
import EventDelivery
import Foundation
import Personalization

/// The files of an installation. They stay when a process ends.
struct PlayedFiles {
    let folder: URL

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
}

struct PlayedStorage: PersonalizationStorage {
    let process: PlayProcess
    let file: FilePersonalizationStorage

    init(_ files: PlayedFiles, _ process: PlayProcess) {
        self.process = process
        file = FilePersonalizationStorage(file: files.path("state"))
    }

    func load() throws -> LoadedState? {
        try process.check()
        return try file.load()
    }

    func save(_ bytes: [UInt8]) throws {
        try process.check()
        try file.save(bytes)
    }
}

struct PlayedDecisionStore: DecisionStore {
    let process: PlayProcess
    let file: FileDecisionStore

    init(_ files: PlayedFiles, _ name: String, _ process: PlayProcess) {
        self.process = process
        file = FileDecisionStore(file: files.path(name))
    }

    private func check() throws(DecisionStoreError) {
        if !process.isRunning { throw DecisionStoreError(.unusable, "the process has ended") }
    }

    func load(maximumBytes: Int) throws(DecisionStoreError) -> [UInt8]? {
        try check()
        return try file.load(maximumBytes: maximumBytes)
    }

    func save(_ bytes: [UInt8]) throws(DecisionStoreError) {
        try check()
        try file.save(bytes)
    }

    func setAside() throws(DecisionStoreError) -> String? {
        try check()
        return try file.setAside()
    }

    func erase() throws(DecisionStoreError) {
        try check()
        try file.erase()
    }
}

/// Passes requests on while the process runs.
struct PlayedTransport: DecisionTransport {
    let process: PlayProcess
    let transport: any DecisionTransport

    func send(_ request: DecisionHTTPRequest) async throws(DecisionError) -> DecisionHTTPReply {
        let answer = await process.request { [transport] () async -> Result<DecisionHTTPReply, DecisionError> in
            do throws(DecisionError) {
                return .success(try await transport.send(request))
            } catch {
                return .failure(error)
            }
        }
        guard let answer else {
            throw DecisionError(.network, "the process has ended")
        }
        return try answer.get()
    }
}
