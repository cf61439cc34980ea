import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@testable import SystemFiles

struct LifetimeFileTests {
    @Test func `it is private, and held as long as its owner has it`() async throws {
        let place = try TemporaryPlace()
        let path = place.file("run.json")
        var file: LifetimeFile? = try LifetimeFile(path: path, content: Array("hello".utf8))
        #expect(file?.path == path)
        #expect(PrivateFolder.names(in: place.path) == ["run.json"])
        #expect(try place.mode(of: "run.json") == 0o600)
        #expect(LifetimeFile.state(of: path, maximum: 100) == .held(Array("hello".utf8)))
        #expect(LifetimeFile.state(of: path, maximum: 4) == .unusable)
        // As the system does when a process is killed.
        file = nil
        // A process that another test starts has a copy of the descriptor until its program runs.
        #expect(await eventually { LifetimeFile.state(of: path, maximum: 100) == .left(Array("hello".utf8)) })
    }

    @Test func `an orderly end removes it`() throws {
        let place = try TemporaryPlace()
        let path = place.file("run.json")
        let file = try LifetimeFile(path: path, content: [])
        file.remove()
        #expect(PrivateFolder.names(in: place.path).isEmpty)
        #expect(LifetimeFile.state(of: path, maximum: 100) == .unusable)
    }

    @Test func `a folder and a missing folder are no such file`() throws {
        let place = try TemporaryPlace()
        #expect(LifetimeFile.state(of: place.path, maximum: 100) == .unusable)
        #expect(throws: PrivateFolder.Failure.self) {
            try LifetimeFile(path: place.file("nowhere/run.json"), content: [])
        }
    }

    @Test func `a folder of the user is made with its parents, and made private where others can read it`() throws {
        let place = try TemporaryPlace()
        let path = place.file("a/b")
        try PrivateFolder.makeOwn(path)
        #expect(try place.mode(of: "a/b") == 0o700)
        #expect(chmod(path, 0o755) == 0)
        try PrivateFolder.makeOwn(path)
        #expect(try place.mode(of: "a/b") == 0o700)
        let file = try LifetimeFile(path: path + "/file", content: [])
        #expect(throws: PrivateFolder.Failure.self) { try PrivateFolder.makeOwn(file.path) }
    }
}
