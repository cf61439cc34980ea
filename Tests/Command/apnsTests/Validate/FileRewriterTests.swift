import Foundation
import TestSupport
import Testing

@testable import apns

struct FileRewriterTests {
    @Test func `a finished file has the new content and the old mode, and nothing else is in its folder`() throws {
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("a.json")
            try Data("old".utf8).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
            let rewriter = try FileRewriter(file.path)
            rewriter.write(Array("new".utf8))
            #expect(try String(contentsOf: file, encoding: .utf8) == "old")
            try rewriter.finish()
            #expect(try String(contentsOf: file, encoding: .utf8) == "new")
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect(attributes[.posixPermissions] as? Int == 0o640)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.json"])
        }
    }

    @Test func `a file that is not finished stays as it was`() throws {
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("a.json")
            try Data("old".utf8).write(to: file)
            do {
                let rewriter = try FileRewriter(file.path)
                rewriter.write([UInt8](repeating: 0, count: 200_000))
            }
            #expect(try String(contentsOf: file, encoding: .utf8) == "old")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.json"])
        }
    }

    @Test func `through a link the target is replaced and the link stays`() throws {
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("a.json")
            let link = folder.appendingPathComponent("link.json")
            try Data("old".utf8).write(to: file)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
            let rewriter = try FileRewriter(link.path)
            rewriter.write(Array("new".utf8))
            try rewriter.finish()
            #expect(try String(contentsOf: file, encoding: .utf8) == "new")
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path).hasSuffix("a.json"))
        }
    }

    @Test func `a folder is not a file`() throws {
        try withTemporaryFolder { folder in
            let error = #expect(throws: FileError.self) { _ = try FileRewriter(folder.path) }
            #expect(error?.detail == "it is not a regular file, and --fix changes only those")
        }
    }
}
