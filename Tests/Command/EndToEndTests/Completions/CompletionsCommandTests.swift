import Foundation
import Testing

/// `apns completions`, and what shells do with the scripts.
@Suite(.timeLimit(.minutes(10))) struct CompletionsCommandTests {
    @Test(arguments: [
        ("bash", "complete -o filenames -F _apns apns"), ("zsh", "#compdef apns"), ("fish", "complete -c 'apns'"),
    ])
    func `each shell gets its script`(shell: String, part: String) async throws {
        try await withCommand { command in
            let result = try await command.run(["completions", shell])
            #expect(result.status == 0)
            #expect(result.output.contains(part))
            #expect(result.output.contains("background-priority"), "rule ids are in it")
            #expect(result.output.contains("liveactivity"), "push types are in it")
        }
    }

    @Test func `another shell is refused`() async throws {
        try await withCommand { command in
            let result = try await command.run(["completions", "csh"])
            #expect(result.status == 64 && result.errors.contains("bash"), "\(result.errors)")
        }
    }

    @Test(.enabled(if: Command.isInstalled("zsh"), "there is no zsh")) func `zsh reads its script`() async throws {
        try await Self.read("zsh")
    }

    @Test(.enabled(if: Command.isInstalled("fish"), "there is no fish")) func `fish reads its script`() async throws {
        try await Self.read("fish")
    }

    private static func read(_ shell: String) async throws {
        try await withCommand { command in
            let result = try await command.shell("apns completions \(shell) >script && \(shell) -n script")
            #expect(result.status == 0 && result.text.isEmpty, "\(result.text)")
        }
    }

    /// What bash offers for a line that ends with the word to complete.
    private static func offered(_ line: String, _ command: Command) async throws -> Set<String> {
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        let script = """
            source <(apns completions bash)
            COMP_WORDS=(\(words.map { "'\($0)'" }.joined(separator: " "))); COMP_CWORD=\(words.count - 1)
            COMP_LINE='\(line)'; COMP_POINT=${#COMP_LINE}
            _apns apns "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        try command.write(script, to: "complete.bash")
        let result = try await command.shell("exec bash complete.bash")
        return Set(result.lines.map { $0.trimmingCharacters(in: .whitespaces) })
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash"), "there is no bash"))
    func `bash completes subcommands, rules, push types, profiles and gateways`() async throws {
        try await withLocalGateway { gateway, command in
            try command.write(
                "profiles: {staging: {topic: com.example.a}, live: {}}", to: ".config/apns-toolkit/profiles.yaml")
            let cases: [(line: String, has: Set<String>)] = [
                ("apns va", ["validate"]), ("apns rules background-prio", ["background-priority"]),
                ("apns send --push-type backg", ["background"]), ("apns validate --push-type vo", ["voip"]),
                ("apns send --profile ", ["live", "staging"]),
                ("apns send --gateway local:", ["local:\(gateway.port)"]),
                ("apns device --control lo", ["local", "local:\(gateway.port)"]),
            ]
            for (line, has) in cases {
                let offered = try await CompletionsCommandTests.offered(line, command)
                #expect(has.isSubset(of: offered), "\(line): \(offered)")
            }
        }
    }
}
