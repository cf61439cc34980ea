import PayloadLint
import Testing

struct ChangesQueryTests {
    private typealias Answer = ChangesQuery.Answer

    /// Answers by the first word that is not an option of git itself.
    private func failure(_ answers: [String: Answer]) -> String? {
        let query = ChangesQuery(since: "main", in: "/r/deep") { arguments throws(ChangesQuery.Failure) -> Answer in
            answers.first { arguments.contains($0.key) }?.value ?? Answer(output: Array("true\n../\n".utf8))
        }
        do throws(ChangesQuery.Failure) {
            _ = try query.changes()
            return nil
        } catch {
            return error.description
        }
    }

    @Test func `it compares with the commit in common, and adds the files that git does not know`() throws {
        let query = ChangesQuery(since: "main", in: "/r/deep") { arguments throws(ChangesQuery.Failure) -> Answer in
            switch arguments.first {
            case "rev-parse" where arguments.contains("--show-cdup"): return Answer(output: Array("true\n../\n".utf8))
            case "rev-parse" where arguments.last == "main^{commit}": return Answer(output: Array("c1\n".utf8))
            case "merge-base" where arguments == ["merge-base", "c1", "HEAD"]: return Answer(output: Array("c0\n".utf8))
            case "-C" where arguments.contains("diff") && arguments.contains("c0"):
                return Answer(output: Array("deep/a.json\0gone.json\0".utf8))
            case "-C" where arguments.contains("ls-files"): return Answer(output: Array("new.json\0".utf8))
            default: throw ChangesQuery.Failure("unexpected: \(arguments)")
            }
        }
        let changes = try query.changes()
        #expect(changes.top == "/r")
        #expect(changes == ChangedFiles(top: "/r", listings: [Array("deep/a.json\0gone.json\0new.json\0".utf8)]))
    }

    @Test func `each failure says what is wrong and what to do`() {
        #expect(failure([:]) == nil)
        let fatal = "fatal: not a git repository (or any of the parent directories): .git\nmore\n"
        #expect(
            failure(["--show-cdup": Answer(status: 128, errors: fatal)])
                == "--changed-since needs a git repository: fatal: not a git repository (or any of the parent directories): "
                + ".git; run it in one, or leave out the option")
        #expect(failure(["--show-cdup": Answer(output: Array("false\n".utf8))])?.contains("not a work tree") == true)
        #expect(failure(["--verify": Answer(status: 1)])?.hasPrefix("git knows no commit \"main\"") == true)
        #expect(failure(["merge-base": Answer(status: 1)])?.contains("no commit in common") == true)
        for command in ["diff", "ls-files"] {
            #expect(
                failure([command: Answer(status: 128, errors: "fatal: broken")])
                    == "git could not list the changes since \"main\": fatal: broken")
        }
        #expect(failure(["diff": Answer(status: 7)])?.hasSuffix("git ended with status 7") == true)
    }

    @Test func `what git could take for an option is no name of a commit`() {
        for text in ["", "-x", "--output=a", "a b", "a\n", "a\u{7F}"] {
            #expect(ChangesQuery.isUnusable(text), "\(text)")
        }
        for text in ["main", "origin/main", "HEAD~1", "v1.0", "ä"] {
            #expect(!ChangesQuery.isUnusable(text), "\(text)")
        }
    }
}
