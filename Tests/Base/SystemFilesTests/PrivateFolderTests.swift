import Foundation
import SystemFiles
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

struct PrivateFolderTests {
    let place: TemporaryPlace

    init() throws { place = try TemporaryPlace() }

    @Test func `a file is written once, with its mode`() throws {
        try PrivateFolder.write([1, 2, 3], to: place.file("key"), mode: 0o600)
        #expect(try place.mode(of: "key") == 0o600)
        #expect(throws: PrivateFolder.Failure.self) {
            try PrivateFolder.write([4], to: place.file("key"), mode: 0o600)
        }
        #expect(try PrivateFolder.read(place.file("key"), maximum: 3) == [1, 2, 3])
    }

    @Test func `a replaced file has the new bytes and mode, and nothing is left beside it`() throws {
        try place.write("old", to: "key")
        try place.write("left by an interrupted attempt", to: "key.new")
        try PrivateFolder.replace(place.file("key"), with: Array("new".utf8), mode: 0o640)
        #expect(try place.text(of: "key") == "new")
        #expect(try place.mode(of: "key") == 0o640)
        #expect(PrivateFolder.names(in: place.path) == ["key"])
    }

    @Test func `what cannot replace its target leaves both as they were`() throws {
        try PrivateFolder.makeParents(place.file("key/inner"))
        #expect(throws: PrivateFolder.Failure.self) {
            try PrivateFolder.replace(place.file("key"), with: [1], mode: 0o600)
        }
        #expect(PrivateFolder.names(in: place.path) == ["key"])
        #expect(PrivateFolder.names(in: place.file("key")) == ["inner"])
    }

    @Test func `a file larger than the maximum is refused`() throws {
        try place.write("four", to: "file")
        #expect(try PrivateFolder.read(place.file("file"), maximum: 4).count == 4)
        let failure = #expect(throws: PrivateFolder.Failure.self) {
            try PrivateFolder.read(place.file("file"), maximum: 3)
        }
        #expect(failure?.description == "File too large")
    }

    @Test func `a pipe is read to its end, and one without an end is a failure`() throws {
        let path = place.file("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        let late = #expect(throws: PrivateFolder.Failure.self) {
            try PrivateFolder.read(path, maximum: 3, within: .milliseconds(10))
        }
        #expect(late?.isLate == true)
        Thread.detachNewThread {
            let writer = FileHandle(forWritingAtPath: path)  // waits for the reader
            try? writer?.write(contentsOf: Data("key".utf8))
            try? writer?.close()
        }
        #expect(try PrivateFolder.read(path, maximum: 3, within: .seconds(300)) == Array("key".utf8))
    }

    @Test func `with a limit a regular file is read as without`() throws {
        try place.write("four", to: "file")
        #expect(try PrivateFolder.read(place.file("file"), maximum: 4, within: .seconds(300)) == Array("four".utf8))
        let failure = #expect(throws: PrivateFolder.Failure.self) {
            try PrivateFolder.read(place.file("file"), maximum: 3, within: .seconds(300))
        }
        #expect(failure?.description == "File too large" && failure?.isLate == false)
        let folder = #expect(throws: PrivateFolder.Failure.self) {
            try PrivateFolder.read(place.path, maximum: 3, within: .seconds(300))
        }
        #expect(folder?.isLate == false)
    }

    @Test func `a missing file is told apart from other errors`() throws {
        let missing = #expect(throws: PrivateFolder.Failure.self) {
            try PrivateFolder.read(place.file("none"), maximum: 1)
        }
        #expect(missing?.isMissing == true)
        let folder = #expect(throws: PrivateFolder.Failure.self) { try PrivateFolder.read(place.path, maximum: 1) }
        #expect(folder?.isMissing == false)
    }

    @Test func `a temporary folder is private, has its prefix, and goes with the files that are named`() throws {
        let folder = try PrivateFolder.makeTemporary(place.file("part."))
        #expect(folder.hasPrefix(place.file("part.")))
        let name = String(folder.dropFirst(place.path.count + 1))
        #expect(try place.mode(of: name) == 0o700)
        try PrivateFolder.write([], to: folder + "/a", mode: 0o600)
        PrivateFolder.remove(folder, files: [])
        #expect(PrivateFolder.exists(folder), "a file that is not named stays, and its folder with it")
        PrivateFolder.remove(folder, files: ["a"])
        #expect(!PrivateFolder.exists(folder))
    }
}
