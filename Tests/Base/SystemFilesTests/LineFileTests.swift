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

struct LineFileTests {
    let place: TemporaryPlace

    init() throws { place = try TemporaryPlace() }

    @Test func `lines are appended to what the file has, which only its owner can read`() throws {
        try place.write("{\"a\":1}\n", to: "log")
        let file = try LineFile(path: place.file("log"))
        try file.append(Array("{\"b\":2}\n{\"c\":3}\n".utf8))
        try file.sync()
        var lines: [String] = []
        try file.forEachLine { lines.append(String(decoding: $0, as: UTF8.self)) }
        #expect(lines == ["{\"a\":1}", "{\"b\":2}", "{\"c\":3}"])
        #expect(file.repairedBytes == 0)
        #expect(try place.mode(of: "log") == 0o600)
    }

    @Test func `a partial line at the end, which a crash left, is cut off`() throws {
        try place.write("{\"a\":1}\n{\"b\":", to: "log")
        let file = try LineFile(path: place.file("log"))
        #expect(file.repairedBytes == 5)
        try file.append(Array("{\"c\":3}\n".utf8))
        #expect(try place.text(of: "log") == "{\"a\":1}\n{\"c\":3}\n")
    }

    @Test func `a partial line longer than what is read at once is cut off as well`() throws {
        let long = "{" + String(repeating: "x", count: 200_000)
        try place.write("{\"a\":1}\n" + long, to: "log")
        #expect(try LineFile(path: place.file("log")).repairedBytes == long.utf8.count)
        #expect(try place.text(of: "log") == "{\"a\":1}\n")
    }

    @Test func `a file that ends in something else is left as it is`() throws {
        try place.write("{\"a\":1}\nnot one of our lines", to: "log")
        let failure = #expect(throws: LineFile.Failure.self) { try LineFile(path: place.file("log")) }
        #expect(failure?.description.contains("ends in the middle of a line that this command did not write") == true)
        #expect(try place.text(of: "log") == "{\"a\":1}\nnot one of our lines")
    }

    @Test(arguments: ["{\"aps\":{}}", "{\"aps\":{}}\n", "{\"log\":2,", "{\"log\":1,\"x\":1}\nnot one of our lines"])
    func `a file that begins in another way is left as it is`(text: String) throws {
        try place.write(text, to: "other")
        #expect(throws: LineFile.Failure.self) { try LineFile(path: place.file("other"), head: "{\"log\":1,") }
        #expect(try place.text(of: "other") == text)
    }

    @Test(arguments: ["", "{\"lo", "{\"log\":1,", "{\"log\":1,\"x\""])
    func `the beginning of the first line is repaired`(text: String) throws {
        try place.write(text, to: "log")
        let file = try LineFile(path: place.file("log"), head: "{\"log\":1,")
        #expect(file.repairedBytes == text.utf8.count)
        #expect(file.size == 0)
    }

    @Test func `a file that is open cannot be opened again, and can once it is closed`() throws {
        let path = place.file("log")
        do {
            let first = try LineFile(path: path)
            let failure = #expect(throws: LineFile.Failure.self) { try LineFile(path: path) }
            #expect(failure?.description == "\(path) is in use by another run; wait for its end, or name another file")
            try first.append(Array("{}\n".utf8))
        }
        #expect(try LineFile(path: path).repairedBytes == 0)
    }

    @Test func `a file that another run closes meanwhile is opened with all that it wrote`() throws {
        let path = place.file("log")
        let other = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
        Thread.detachNewThread {
            usleep(100_000)
            _ = write(other, "{}\n", 3)
            close(other)
        }
        var size: Int?
        while size == nil { size = try? LineFile(path: path).size }
        #expect(size == 3)
    }

    @Test func `an error names the file and what to do`() throws {
        let missing = #expect(throws: LineFile.Failure.self) { try LineFile(path: place.file("none/log")) }
        #expect(
            missing?.description.hasSuffix(
                "none/log cannot be opened: No such file or directory; create its folder first") == true)
        let folder = #expect(throws: LineFile.Failure.self) { try LineFile(path: place.path) }
        #expect(folder?.description.hasSuffix("; name a file in it") == true)
    }

    @Test(.enabled(if: PrivateFolder.exists("/dev/full"), "there is no /dev/full"))
    func `a full disk is reported`() throws {
        let file = try LineFile(path: "/dev/full")
        let failure = #expect(throws: LineFile.Failure.self) { try file.append(Array("{}\n".utf8)) }
        #expect(failure?.description == "/dev/full cannot be written: No space left on device; free space on the disk")
    }
}
