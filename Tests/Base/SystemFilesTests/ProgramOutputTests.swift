import SystemFiles
import Testing

struct ProgramOutputTests {
    private func shell(_ script: String) throws -> ProgramOutput {
        try ProgramOutput(of: "/bin/sh", ["-c", script], environment: ["PATH": "/usr/bin:/bin"])
    }

    @Test func `both streams are read, however much there is, and the status`() throws {
        // More than a pipe holds, on the stream that is not read first.
        let run = try shell(
            "i=0; while [ $i -lt 3000 ]; do echo 0123456789012345678901234567890123456789 >&2; i=$((i+1)); done; echo done; exit 3"
        )
        #expect(run.status == 3)
        #expect(String(decoding: run.output, as: UTF8.self) == "done\n")
        #expect(run.errors.count == 3000 * 41)
    }

    @Test func `there is no standard input, and a signal is a status`() throws {
        #expect(try shell("cat; echo end").output == Array("end\n".utf8))
        #expect(try shell("kill -KILL $$").status == 128 + 9)
    }

    @Test func `a program is found in the folders of a PATH`() {
        #expect(ProgramOutput.find("sh", in: "/nonexistent::/bin") == "/bin/sh")
        #expect(ProgramOutput.find("sh", in: "") == nil)
        #expect(throws: Spawn.NotStarted.self) {
            try ProgramOutput(of: "/nonexistent/program", [], environment: [:])
        }
    }
}
