import ArgumentParser

/// The exit statuses of every subcommand (`docs/reference/interfaces.md` 1).
enum ExitStatus: Int32 {
    case done = 0
    /// The answer is no: a finding, a refused or unsent notification, a bad provider token.
    case no = 1
    /// The work could not be done.
    case failed = 2
    case badArguments = 64

    /// What the help of a command says when it has nothing more exact to say.
    static let help = """
        EXIT STATUS: 0 done; 1 the answer is no; 2 the work could not be done; 64 bad arguments.
        """

    /// Ends the command; nothing for `done`.
    func end() throws {
        if self != .done { throw ExitCode(rawValue) }
    }
}
