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

struct SpawnTests {
    /// Runs a script in `/bin/sh`.
    ///
    /// - Returns: What it printed, and its exit status.
    private static func shell(
        _ script: String, _ arguments: [String] = [], environment: [String: String] = [:]
    ) throws -> (output: String, status: Int32) {
        let pipe = Pipe()
        let id = try Spawn.start(
            "/bin/sh", ["-c", script, "sh"] + arguments, environment: environment,
            streams: [1: pipe.fileHandleForWriting.fileDescriptor])
        try pipe.fileHandleForWriting.close()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        return (String(decoding: output, as: UTF8.self), status >> 8 & 0xff)
    }

    @Test func `a program gets its arguments and exactly the environment that is given`() throws {
        let result = try SpawnTests.shell(
            #"printf '%s|%s|%s' "$1" "$ONE" "${HOME-no home}"; exit 7"#, ["a b"], environment: ["ONE": "1 =x"])
        #expect(result.output == "a b|1 =x|no home")
        #expect(result.status == 7)
    }

    @Test func `a variable with a NUL is left out and not cut`() throws {
        let result = try SpawnTests.shell(#"printf '%s' "${CUT-absent}""#, environment: ["CUT": "a\0b"])
        #expect(result.output == "absent")
    }

    @Test func `signals that this process ignores end the program as usual`() throws {
        signal(SIGPIPE, SIG_IGN)
        // A shell that inherits an ignored SIGPIPE survives this.
        let result = try SpawnTests.shell("kill -PIPE $$; printf alive")
        #expect(result.output.isEmpty)
    }

    @Test(arguments: [true, false]) func `only a leader has a process group of its own`(leads: Bool) throws {
        let input = Pipe()
        let id = try Spawn.start(
            "/bin/sh", ["-c", "read line"], environment: [:],
            streams: [0: input.fileHandleForReading.fileDescriptor], leadsGroup: leads)
        #expect((getpgid(id) == id) == leads)
        kill(id, SIGKILL)
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        withExtendedLifetime(input) {}
    }

    @Test func `a program inherits no descriptor but the standard ones`() throws {
        let extra = dup(1)
        defer { close(extra) }
        #expect(fcntl(extra, F_GETFD) & FD_CLOEXEC == 0)
        let script = "if [ -e /dev/fd/$1 ]; then echo inherited; else echo closed; fi"
        let result = try SpawnTests.shell(script, ["\(extra)"])
        #expect(result.output == "closed\n")
    }

    @Test func `a program that does not exist is named with the reason`() {
        let error = #expect(throws: Spawn.NotStarted.self) {
            try Spawn.start("/nonexistent/program", [], environment: [:], streams: [:])
        }
        #expect(error?.code == ENOENT)
        #expect(error?.description.hasPrefix("/nonexistent/program cannot be started: ") == true)
    }
}
