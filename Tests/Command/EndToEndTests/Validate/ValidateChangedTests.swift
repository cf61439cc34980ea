import Foundation
import Testing

@Suite(.enabled(if: Command.isInstalled("git"), "there is no git"))
struct ValidateChangedTests {
    private static let bad = #"{"aps":"Hi"}"#
    private static let git = "git -c user.name=Test -c user.email=test@example.com"

    /// A repository with the branch `main`, whose commit has the faulty files `names`, and a branch that is checked out.
    private func withRepository(_ names: [String], _ body: (Command) async throws -> Void) async throws {
        try await withCommand { command in
            for name in names { try command.write(ValidateChangedTests.bad, to: name) }
            let git = ValidateChangedTests.git
            try await shell(
                "printf '.*.out\\n.*.err\\n.*.in\\n' >.gitignore; git init -q -b main && git add -A && "
                    + "\(git) commit -qm Files && git checkout -qb work", command)
            try await body(command)
        }
    }

    private func shell(_ script: String, _ command: Command) async throws {
        let done = try await command.shell(script)
        #expect(done.status == 0, "\(script): \(done.text)")
    }

    /// The files that findings are in, and the last line of the report.
    private func check(
        _ arguments: [String], _ command: Command, in folder: String? = nil
    ) async throws -> (files: [String], last: String, result: Command.Result) {
        let result = try await command.run(["validate", "--changed-since", "main"] + arguments, in: folder)
        let heads = result.lines.filter { $0.contains(": error:") }
        return (heads.map { String($0.prefix { $0 != ":" }) }, String(result.lines.last ?? ""), result)
    }

    @Test func `committed, staged, unstaged, renamed and untracked files are checked, others are not`() async throws {
        try await withRepository(["p/old.json", "p/same.json", "p/gone.json", "p/staged.json", "p/edited.json"]) {
            command in
            let nothing = try await check(["p"], command)
            #expect(nothing.result.status == 0 && nothing.files.isEmpty, "\(nothing.result.text)")
            #expect(nothing.last == "0 notifications in 0 files checked: no findings; 5 unchanged files left out")
            try command.write("[]", to: "p/committed name.json")
            try await shell("git add -A && \(ValidateChangedTests.git) commit -qm More", command)
            try await shell("git mv p/old.json p/new.json && git rm -q p/gone.json", command)
            try command.write("1", to: "p/staged.json")
            try await shell("git add p/staged.json", command)
            try command.write("2", to: "p/edited.json")
            try command.write(ValidateChangedTests.bad, to: "p/ü\n\"untracked\".json")
            try command.write(ValidateChangedTests.bad, to: "p/ignored.json")
            try await shell("echo ignored.json >>.gitignore", command)
            let found = try await check(["p"], command)
            #expect(found.result.status == 1)
            #expect(
                found.files == [
                    "p/committed name.json", "p/edited.json", "p/new.json", "p/staged.json", "p/ü␊\"untracked\".json",
                ], "\(found.result.text)")
            #expect(found.last.hasSuffix("; 2 unchanged files left out"), "\(found.last)")
            // From a folder below, with names that are relative to it.
            let below = try await check(["edited.json", "same.json"], command, in: "p")
            #expect(below.files == ["edited.json"] && below.last.contains("1 unchanged file left out"))
        }
    }

    @Test func `what changed in the other branch does not count`() async throws {
        try await withRepository(["p/a.json", "p/b.json"]) { command in
            let git = ValidateChangedTests.git
            try await shell(
                "git checkout -q main && echo '[]' >p/a.json && \(git) commit -qam Main && git checkout -q work",
                command)
            #expect(try await check(["p"], command).files.isEmpty)
        }
    }

    @Test func `the files of a changed configuration are checked, and those with changed ignored rules`() async throws {
        try await withRepository(["p/a.json", "q/b.json", "q/c.json"]) { command in
            try command.write("fail-on: note\n", to: "p/.apns-validate.yaml")
            #expect(try await check(["p", "q"], command).files == ["p/a.json"])
            try command.write("ignore: [aps-missing]\n", to: "q/c.json.apns-validate.yaml")
            #expect(try await check(["p", "q"], command).files == ["p/a.json", "q/c.json"])
            let configured = try await check(["--config", "p/.apns-validate.yaml", "q"], command)
            #expect(configured.files == ["q/b.json", "q/c.json"], "\(configured.result.text)")
            try await shell(
                "git add -A && \(ValidateChangedTests.git) commit -qm Settings && git branch -f main", command)
            #expect(try await check(["p", "q"], command).files.isEmpty)
            try await shell("rm p/.apns-validate.yaml", command)
            #expect(try await check(["p", "q"], command).files == ["p/a.json"])
        }
    }

    @Test func `deleted paths are no failure, and misspelt ones are`() async throws {
        try await withRepository(["payloads/a.json", "p/b.json", "c.json"]) { command in
            try await shell("git rm -qr payloads p c.json", command)
            let deleted = try await check(["p", "c.json"], command)
            #expect(deleted.result.status == 0 && deleted.result.errors.isEmpty, "\(deleted.result.text)")
            #expect(try await check([], command).result.status == 0)
            let misspelt = try await check(["d.json"], command)
            #expect(
                misspelt.result.status == 2 && misspelt.result.errors.contains("d.json cannot be read: No such file"))
            let outside = try await check(["/etc"], command)
            #expect(outside.result.status == 2)
            #expect(outside.result.errors.contains("/etc is outside of the git repository"), "\(outside.result.text)")
        }
    }

    @Test func `a file that is reached through a link counts by its own name`() async throws {
        try await withRepository(["shared/a.json", "shared/b.json"]) { command in
            try await shell("ln -s shared linked && git add -A && \(ValidateChangedTests.git) commit -qm Link", command)
            try await shell("git branch -f main && echo '[]' >shared/a.json", command)
            #expect(try await check(["linked"], command).files == ["linked/a.json"])
        }
    }

    @Test func `without git, a repository, the commit or a common one it says what to do`() async throws {
        try await withRepository(["p/a.json"]) { command in
            func expect(_ words: String, _ arguments: [String], _ environment: [String: String] = [:]) async throws {
                let result = try await command.run(["validate"] + arguments + ["p"], environment: environment)
                #expect(result.status == 2 && result.errors.contains(words), "\(result.text)")
                #expect(result.output.isEmpty)
            }
            try await expect("needs git, which is not in PATH", ["--changed-since", "main"], ["PATH": "/nonexistent"])
            try await expect("git knows no commit \"release\"", ["--changed-since", "release"])
            try await shell("git checkout -q --orphan alone && \(ValidateChangedTests.git) commit -qm Alone", command)
            try await expect("have no commit in common here", ["--changed-since", "main"])
            try await shell("rm -rf .git", command)
            try await expect(
                "--changed-since needs a git repository: fatal: not a git repository", ["--changed-since", "main"],
                ["GIT_CEILING_DIRECTORIES": command.folder.deletingLastPathComponent().path])
        }
    }

    @Test func `it does not go with what has no history`() async throws {
        try await withCommand { command in
            for arguments in [["-"], ["--watch"], ["--write-baseline", "b.json"]] {
                let result = try await command.run(["validate", "--changed-since", "main"] + arguments)
                #expect(result.status == 64 && result.errors.contains("--changed-since leaves out"), "\(result.text)")
            }
            for option in [["--changed-since", ""], ["--changed-since=--output=x"], ["--changed-since", "a b"]] {
                let result = try await command.run(["validate"] + option + ["p"])
                #expect(result.status == 64 && result.errors.contains("the name of a commit"), "\(result.text)")
            }
        }
    }
}
