import Foundation
import PayloadLint
import SystemFiles

/// Asks git which files have changed.
enum GitChanges {
    static func since(_ reference: String) throws(CommandError) -> ChangedFiles {
        let environment = ProcessInfo.processInfo.environment
        guard let git = ProgramOutput.find("git", in: environment["PATH"] ?? "") else {
            throw CommandError("--changed-since needs git, which is not in PATH; install it, or leave out the option")
        }
        let query = ChangesQuery(since: reference, in: System.currentFolder) {
            arguments throws(ChangesQuery.Failure) -> ChangesQuery.Answer in
            do throws(Spawn.NotStarted) {
                let run = try ProgramOutput(of: git, arguments, environment: environment)
                return ChangesQuery.Answer(
                    status: run.status, output: run.output, errors: String(decoding: run.errors, as: UTF8.self))
            } catch {
                throw ChangesQuery.Failure(error.description)
            }
        }
        do throws(ChangesQuery.Failure) {
            return try query.changes()
        } catch {
            throw CommandError(PlainText.safe(error.description))
        }
    }
}
