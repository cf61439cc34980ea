import Foundation
import TestSupport
import Testing

@testable import apns

struct PayloadFolderTests {
    @Test func `payload files are found in the order of their paths, through links once`() throws {
        try withTemporaryFolder { folder in
            for name in [
                "b.json", "a/c.NDJSON", "a/d.apns", "a/e.txt", ".hidden/f.json", "g.jsonl", ".h.json", ".json",
            ] {
                let file = folder.appendingPathComponent(name)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data().write(to: file)
            }
            try FileManager.default.createSymbolicLink(
                at: folder.appendingPathComponent("a/again"), withDestinationURL: folder)
            let found = PayloadFolder(folder.path)
            #expect(found.errors.isEmpty)
            #expect(found.files == ["a/c.NDJSON", "a/d.apns", "b.json", "g.jsonl"].map { "\(folder.path)/\($0)" })
        }
    }

    @Test func `a folder that does not exist is not a folder`() {
        #expect(!PayloadFolder.isFolder("/nonexistent"))
        #expect(PayloadFolder("/nonexistent").files.isEmpty)
    }

    @Test func `a folder and a file are neither pipe nor device, so that all cores read them`() throws {
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("a.json")
            try Data().write(to: file)
            #expect(!PayloadFolder.isPipeOrDevice(folder.path))
            #expect(!PayloadFolder.isPipeOrDevice(file.path))
            #expect(!PayloadFolder.isPipeOrDevice("/nonexistent"))
            #expect(PayloadFolder.isPipeOrDevice("/dev/null"))
        }
    }
}
