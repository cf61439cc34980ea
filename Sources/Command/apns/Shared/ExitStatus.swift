import ArgumentParser

/// The exit statuses of all subcommands (docs/reference/interfaces.md 1).
enum ExitStatus: Int32 {
    case done = 0
    /// The answer is no: a finding, a refused or unsent notification, a bad provider token.
    case no = 1
    /// The work could not be done.
    case failed = 2
    case badArguments = 64

    /// The sentence of a command's help that needs no more detail.
    static let help = """
        EXIT STATUS: 0 done; 1 the answer is no; 2 the work could not be done; 64 bad arguments.
        """

    /// Ends the command with this status; does nothing for `done`.
    func end() throws {
        if self != .done { throw ExitCode(rawValue) }
    }
}
