import DatabaseFiles
import Foundation
import TestSupport
import Testing

/// The files by themselves, without SQLite; the tests of the two stores have real databases, and kill processes.
struct DatabaseFilesTests {
    /// What the owner of the files throws.
    private struct OwnerError: Error, Equatable {
        let kind: DatabaseFiles.Failure.Kind
        let file: String
    }

    private func with(_ body: (DatabaseFiles) throws -> Void) throws {
        try withTemporaryFolder { folder in
            try body(
                DatabaseFiles(main: folder.appendingPathComponent("store").path, setsProtection: true) {
                    OwnerError(kind: $0.kind, file: $0.file)
                })
        }
    }

    private func write(_ text: String, _ path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    private func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `a replacement sets the damaged file and its log aside, and ends the mark`() throws {
        try with { files in
            try write("old", files.main)
            try write("log", files.log)
            try write("index", files.main + "-shm")
            files.markDamaged()
            #expect(files.isMarkedDamaged)
            try write("new", files.fresh)
            let aside = files.nextAside
            #expect(try files.replace() == aside && files.asides == [aside])
            #expect(text(files.main) == "new" && text(aside) == "old" && text(aside + "-wal") == "log")
            for path in [files.log, files.main + "-shm", files.fresh, files.mark] {
                #expect(!DatabaseFiles.exists(path), "\(path)")
            }
            #expect(!files.isMarkedDamaged && !files.isReplacing)
        }
    }

    /// Each step of `replace()` as if the process had ended after it.
    @Test(arguments: ["nothing is moved", "the main file is moved", "the log is moved"])
    func `the next opening finishes a replacement, or undoes it`(step: String) throws {
        try with { files in
            let aside = files.nextAside
            let isMoved = step != "nothing is moved"
            try write("old", isMoved ? aside : files.main)
            try write("log", step == "the log is moved" ? aside + "-wal" : files.log)
            try write("new", files.fresh)
            try files.finishReplacement()
            #expect(text(files.main) == (isMoved ? "new" : "old"))
            #expect(text(isMoved ? aside + "-wal" : files.log) == "log")
            #expect(!files.isReplacing && files.asides == (isMoved ? [aside] : []))
            try files.finishReplacement()
            #expect(text(files.main) == (isMoved ? "new" : "old"))
        }
    }

    @Test func `the three newest damaged files are kept, counted by number`() throws {
        try with { files in
            for number in 8...12 {
                try write("\(number)", files.main + (number == 8 ? "-aside-8" : ""))
                guard number > 8 else { continue }
                try write("", files.fresh)
                try files.replace()
            }
            #expect(files.asides == [10, 11, 12].map { files.main + "-aside-\($0)" })
            #expect(files.asides.map(text) == ["10", "11", "12"])
        }
    }

    @Test func `a mark is that of one file, and not of one that takes its place`() throws {
        try with { files in
            files.markDamaged()
            #expect(!DatabaseFiles.exists(files.mark))
            try write("old", files.main)
            files.markDamaged()
            #expect(files.isMarkedDamaged)
            try write("new", files.fresh)
            try FileManager.default.removeItem(atPath: files.main)
            try FileManager.default.moveItem(atPath: files.fresh, toPath: files.main)
            #expect(!files.isMarkedDamaged)
        }
    }

    @Test func `a new file is its owner's alone, and one that is there stays as it is`() throws {
        try with { files in
            try files.makePrivate(files.main)
            let facts = try FileManager.default.attributesOfItem(atPath: files.main)
            #expect(facts[.posixPermissions] as? Int == 0o600 && DatabaseFiles.bytes(files.main) == 0)
            try write("data", files.main)
            try files.makePrivate(files.main)
            #expect(text(files.main) == "data" && DatabaseFiles.bytes(files.main) == 4)
        }
    }

    @Test func `failures are the owner's errors, and say what could not be done`() throws {
        try with { files in
            let inNothing = files.main + "/none/file"
            #expect(throws: OwnerError(kind: .notCreated, file: inNothing)) { try files.makePrivate(inNothing) }
            #expect(throws: OwnerError(kind: .notMoved, file: files.main)) { try files.replace() }
            try write("", files.main)
            #expect(throws: OwnerError(kind: .notRemoved, file: files.main)) { try files.checkRemoved(files.main) }
            DatabaseFiles.remove(files.main)
            try files.checkRemoved(files.main)
            try FileManager.default.createDirectory(atPath: files.main, withIntermediateDirectories: true)
            #expect(files.isFolder)
        }
    }
}
