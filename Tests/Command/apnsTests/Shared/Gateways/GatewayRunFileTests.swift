import Foundation
import TestSupport
import Testing

@testable import apns

struct GatewayRunFileTests {
    /// Waits until no process has the run files of `folder` but those of `running`. A process that another test starts
    /// has copies of the descriptors until its program runs.
    private static func onlyHeld(_ running: [GatewayRun], in folder: String) async -> Bool {
        await eventually { GatewayRunFile.running(in: [folder], removesLeft: false).running == running }
    }

    @Test func `running gateways are found, the newest first, and those that were killed are removed`() async throws {
        try await withTemporaryFolder { folder in
            let old = GatewayRunTests.run(port: 1, processID: 1, started: 10)
            let new = GatewayRunTests.run(port: 2, processID: 2, started: 20)
            let files = try [old, new].map { try GatewayRunFile($0, folders: [folder.path]) }
            var killed: GatewayRunFile? = try GatewayRunFile(
                GatewayRunTests.run(port: 3, processID: 3, started: 30), folders: [folder.path])
            #expect(GatewayRunFile.running(in: [folder.path]).running.map(\.processID) == [3, 2, 1])
            let path = try #require(killed?.path)
            killed = nil
            #expect(await Self.onlyHeld([new, old], in: folder.path))
            let found = GatewayRunFile.running(in: [folder.path])
            #expect(found.running == [new, old])
            #expect(found.left.map(\.processID) == [3])
            #expect(!FileManager.default.fileExists(atPath: path))
            #expect(GatewayRunFile.running(in: [folder.path]).left.isEmpty)
            for file in files { file.remove() }
            #expect(GatewayRunFile.running(in: [folder.path]) == GatewayRunFile.Found())
        }
    }

    @Test func `processes with the same id have files of their own`() throws {
        try withTemporaryFolder { folder in
            let files = try (0..<2).map {
                try GatewayRunFile(GatewayRunTests.run(), folders: [folder.path], unique: "\($0)")
            }
            #expect(GatewayRunFile.running(in: [folder.path]).running.count == 2)
            for file in files { file.remove() }
        }
    }

    @Test func `a starting gateway removes what killed ones have left`() async throws {
        try await withTemporaryFolder { folder in
            for number in 0..<5 {
                _ = try GatewayRunFile(GatewayRunTests.run(processID: Int32(number)), folders: [folder.path])
            }
            #expect(await Self.onlyHeld([], in: folder.path))
            let last = try GatewayRunFile(GatewayRunTests.run(processID: 9), folders: [folder.path])
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
            last.remove()
        }
    }

    @Test func `other files of the folder are left alone`() throws {
        try withTemporaryFolder { folder in
            try FileManager.default.createDirectory(
                atPath: folder.path + "/gateway-x.json", withIntermediateDirectories: true)
            try Data("x".utf8).write(to: URL(fileURLWithPath: folder.path + "/notes.json"))
            #expect(GatewayRunFile.running(in: [folder.path]) == GatewayRunFile.Found())
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
        }
    }

    @Test func `the first folder that can be used gets the file, and an error names all`() throws {
        try withTemporaryFolder { folder in
            let file = try GatewayRunFile(GatewayRunTests.run(), folders: ["/dev/null/x", folder.path])
            #expect(file.path.hasPrefix(folder.path + "/gateway-77-"))
            let error = #expect(throws: CommandError.self) {
                try GatewayRunFile(GatewayRunTests.run(), folders: ["/dev/null/x", "/dev/null/y"])
            }
            #expect(
                error?.message.contains("/dev/null/x: ") == true && error?.message.contains("/dev/null/y: ") == true)
            #expect(throws: CommandError.self) { try GatewayRunFile(GatewayRunTests.run(), folders: []) }
            file.remove()
        }
    }
}
