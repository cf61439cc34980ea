import ArgumentParser
import Testing

@testable import apns

struct UnknownArgumentTests {
    private static let root = CommandOutline(dump: Array(APNSCommand._dumpHelp().utf8))

    private static func unknown(_ line: String) throws -> UnknownArgument? {
        UnknownArgument(in: line.split(separator: " ").map(String.init), of: try #require(root))
    }

    @Test(arguments: [
        ("send --tokn ab", "--tokn", "--token"), ("send --tokne=ab --alert Hi", "--tokne", "--token"),
        ("send --token --alrt Hi", "--alrt", "--alert"), ("send --record a b --hnt TEST", "--hnt", "--hint"),
        ("send -token ab", "-token", "--token"), ("org --gatewy local", "--gatewy", "--gateway"),
        ("org edit Account --al", "--al", "--all"), ("token check --ky a", "--ky", "--key"),
        ("channels --tpoic com.example.agent list", "--tpoic", "--topic"),
        ("validate - --formt json", "--formt", "--format"), ("bench --conections 2", "--conections", "--connections"),
    ])
    func `a misspelt option is found with the one that was meant`(line: String, name: String, meant: String) throws {
        let unknown = try UnknownArgumentTests.unknown(line)
        #expect(unknown?.kind == .option(name))
        #expect(unknown?.suggestion == meant)
    }

    @Test(arguments: [
        ("gatway", "gatway", String?.some("gateway")), ("sent --token ab", "sent", "send"), ("sned", "sned", "send"),
        ("token chek x", "chek", "check"),
        ("help gatway", "gatway", "gateway"), ("org logn ada", "logn", "login"), ("frobnicate", "frobnicate", nil),
    ])
    func `a misspelt subcommand is found`(line: String, name: String, meant: String?) throws {
        let unknown = try UnknownArgumentTests.unknown(line)
        #expect(unknown?.kind == .subcommand(name))
        #expect(unknown?.suggestion == meant)
    }

    @Test(arguments: [
        "", "send --token ab --alert --title", "send --tokens - --rate 5", "send --badge=-1", "validate a b -",
        "org --gateway local", "org run --port 0", "org call POST clock", "token check a.b.c --key=k", "send --help",
        "help send", "send --version", "rules -- --nothing", "validate --stdin-filename x -",
        "--generate-completion-script bash",
    ])
    func `what exists is not reported`(line: String) throws {
        #expect(try UnknownArgumentTests.unknown(line) == nil)
    }

    @Test func `a sentence that begins with a hyphen is a value`() throws {
        let root = try #require(UnknownArgumentTests.root)
        #expect(UnknownArgument(in: ["send", "--alert", "-5 degrees"], of: root) == nil)
        #expect(
            UnknownArgument(in: ["send", "--alert", "-5 degrees", "--tokne=a b"], of: root)?.suggestion == "--token")
    }

    @Test func `a word that begins with a hyphen, behind an option, is a value to be written with =`() throws {
        let root = try #require(UnknownArgumentTests.root)
        for word in ["-hello", "--strange-words-here", "-x=y", "-1", "-0.5"] {
            let unknown = try #require(UnknownArgument(in: ["send", "--alert", word], of: root))
            #expect(unknown.kind == .value(word, of: "--alert"))
            #expect(
                unknown.message(root).contains("--alert needs a value")
                    && unknown.message(root).hasSuffix("--alert=\(word)"))
        }
        // A misspelt option, and one of another command.
        for word in ["--titel", "--gateway-strict"] {
            #expect(UnknownArgument(in: ["send", "--alert", word], of: root)?.kind == .option(word))
        }
        #expect(UnknownArgument(in: ["send", "--alert", "--", "x"], of: root) == nil)
    }

    @Test func `the message names the command, and who has the option`() throws {
        let root = try #require(UnknownArgumentTests.root)
        let misspelt = try #require(UnknownArgument(in: ["token", "make", "--keyid"], of: root))
        #expect(
            misspelt.message(root)
                == "apns token make has no option --keyid. Did you mean --key-id?\n  See 'apns token make --help' for all options."
        )
        // The commands beside it come first.
        let sibling = try #require(UnknownArgument(in: ["token", "check", "--team-id", "T"], of: root))
        #expect(sibling.message(root).contains("It is an option of apns token make, "), "\(sibling.message(root))")
        let other = try #require(UnknownArgument(in: ["send", "--gateway-strict"], of: root))
        #expect(other.message(root).contains("It is an option of apns token check."), "\(other.message(root))")
    }
}
