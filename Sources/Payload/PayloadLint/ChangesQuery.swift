/// What to ask git for the files that have changed since a commit, and what its answers mean.
package struct ChangesQuery {
    /// What git answers to one command.
    package struct Answer: Hashable, Sendable {
        package var status: Int32
        package var output: [UInt8]
        package var errors: String

        package init(status: Int32 = 0, output: [UInt8] = [], errors: String = "") {
            self.status = status
            self.output = output
            self.errors = errors
        }
    }

    /// Why the changes are unknown: what is wrong, and what to do.
    package struct Failure: Error, Hashable, CustomStringConvertible {
        package var description: String

        package init(_ description: String) {
            self.description = description
        }
    }

    /// Runs git with these arguments.
    package typealias Ask = ([String]) throws(Failure) -> Answer

    private let reference: String
    private let currentFolder: String
    private let ask: Ask

    /// - Parameters:
    ///   - reference: A branch, a tag or another name of a commit.
    ///   - currentFolder: The folder in which git runs; an absolute path.
    package init(since reference: String, in currentFolder: String, ask: @escaping Ask) {
        self.reference = reference
        self.currentFolder = currentFolder
        self.ask = ask
    }

    /// Whether git may take a text for something other than a name.
    package static func isUnusable(_ reference: String) -> Bool {
        reference.isEmpty || reference.hasPrefix("-") || reference.utf8.contains { $0 < 0x21 || $0 == 0x7F }
    }

    /// The files that differ from the last commit that `reference` and `HEAD` have in common: committed, staged, not
    /// staged, and untracked ones that git does not ignore. What changed in `reference` since that commit does not count.
    package func changes() throws(Failure) -> ChangedFiles {
        // A relative path, because the current folder may be known by another name than git's.
        let root = try ask(["rev-parse", "--is-inside-work-tree", "--show-cdup"])
        let lines = ChangesQuery.lines(root)
        guard root.status == 0, lines.first == "true" else {
            let reason = root.status == 0 ? "this is not a work tree" : ChangesQuery.reason(root)
            throw Failure("--changed-since needs a git repository: \(reason); run it in one, or leave out the option")
        }
        let top = PathText.absolute(lines.dropFirst().first ?? "", in: currentFolder)
        let commit = try ask(["rev-parse", "--verify", "--quiet", reference + "^{commit}"])
        guard commit.status == 0 else {
            throw Failure(
                "git knows no commit \"\(reference)\"; check the name, or fetch it before: git fetch origin NAME "
                    + "(in GitHub Actions, fetch-depth: 0 of actions/checkout)")
        }
        let base = try ask(["merge-base", ChangesQuery.lines(commit).first ?? reference, "HEAD"])
        guard base.status == 0, let start = ChangesQuery.lines(base).first else {
            throw Failure(
                "\"\(reference)\" and HEAD have no commit in common here; fetch the whole history: git fetch --unshallow "
                    + "(in GitHub Actions, fetch-depth: 0 of actions/checkout)")
        }
        let listings = [
            // A renamed file is a deleted one and a new one.
            [
                "-C", top, "-c", "diff.relative=false", "diff", "--name-only", "--no-renames", "--no-ext-diff", "-z",
                start, "--",
            ],
            ["-C", top, "ls-files", "--others", "--exclude-standard", "-z"],
        ]
        var answers: [[UInt8]] = []
        for arguments in listings {
            let answer = try ask(arguments)
            guard answer.status == 0 else {
                throw Failure("git could not list the changes since \"\(reference)\": \(ChangesQuery.reason(answer))")
            }
            answers.append(answer.output)
        }
        return ChangedFiles(top: top, listings: answers)
    }

    private static func lines(_ answer: Answer) -> [String] {
        String(decoding: answer.output, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map {
            String($0)
        }
    }

    /// The first line of what git printed about its failure; later ones are advice about other commands.
    private static func reason(_ answer: Answer) -> String {
        let line = answer.errors.split(separator: "\n").first.map { String($0) }
        return line ?? "git ended with status \(answer.status)"
    }
}
