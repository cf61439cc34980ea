import ArgumentParser

/// `apns completions`: prints a completion script.
struct CompletionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completions",
        abstract: "Prints a script with which a shell completes the command.",
        discussion: """
            It completes subcommands, options, files, rule ids, push types, profiles and gateways on this machine. The \
            script is for a command that is called apns and is on the PATH.

            EXAMPLES
              source <(apns completions bash)
              apns completions zsh > ~/.zfunc/_apns
              apns completions fish > ~/.config/fish/completions/apns.fish

            docs/shell.md describes where each shell keeps such scripts, and the manual pages.

            EXIT STATUS: 0 done; 2 the output could not be written; 64 bad arguments. No environment variable is read.
            """)

    enum Shell: String, ExpressibleByArgument, CaseIterable { case bash, zsh, fish }

    @Argument(help: "The shell: bash, zsh or fish.")
    var shell: Shell

    func run() {
        let kind: CompletionShell =
            switch shell {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        Output.standard.write(APNSCommand.completionScript(for: kind) + "\n")
    }
}
