import Testing

struct BadArgumentsTests {
    struct Case: CustomTestStringConvertible {
        var arguments: [String]
        /// What the message has to say.
        var says: String

        init(_ arguments: String..., says: String) {
            self.arguments = arguments
            self.says = says
        }

        var testDescription: String { arguments.joined(separator: " ") }
    }

    static let device = String(repeating: "0", count: 62) + "ab"

    static let cases: [Case] = [
        Case("send", says: "There is no device token"),
        Case("send", "--token", device, says: "There is nothing to send"),
        Case("send", "--token", "abc", "--alert", "Hi", says: "3 digits, an odd number"),
        Case("send", "--token", "zz", "--alert", "Hi", says: "not a hexadecimal digit"),
        Case("send", "--token", "", "--alert", "Hi", says: "is empty"),
        Case("send", "--token", device, "--alert", "Hi", "--payload", "x", says: "--payload and --alert"),
        Case("send", "--token", device, "--alert", "Hi", "--priority", "7", says: "1, 5 or 10"),
        Case("send", "--token", device, "--alert", "Hi", "--expiration", "soon", says: "or once"),
        Case("send", "--token", device, "--alert", "Hi", "--expiration=-1", says: "whole seconds since 1970"),
        Case("send", "--token", device, "--alert", "Hi", "--apns-id", "1", says: "canonical form"),
        Case(
            "send", "--token", device, "--token", device, "--alert", "Hi", "--apns-id",
            "8e2a5c0b-3f1d-4c7a-9b60-1d2e3f405162", says: "there are several device tokens"),
        Case(
            "send", "--token", device, "--alert", "Hi", "--collapse-id", String(repeating: "é", count: 33),
            says: "this has 66"),
        Case("send", "--token", device, "--alert", "Hi", "--push-type", "Alert", says: "did you mean alert?"),
        Case("send", "--token", device, "--alert", "Hi", "--topic", "a b", says: "bundle id"),
        Case("send", "--token", device, "--alert", "Hi", "--timeout", "0", says: "seconds from"),
        Case("send", "--token", device, "--alert", "Hi", "--connections", "0", says: "from 1 to 1000"),
        Case("send", "--token", device, "--hint", "INTERACTIO", "--record", "a", says: "did you mean INTERACTION?"),
        Case("send", "--token", device, "--hint", "INTERACTION", says: "--record ID"),
        Case("send", "--token", device, "--alert", "Hi", "--record", "a", says: "need --hint"),
        Case(
            "send", "--token", device, "--hint", "INTERACTION", "--record", "a", "--changed", "Name",
            says: "has no changed fields"),
        Case("send", "--tokens", "-", "--payload", "-", says: "cannot both read standard input"),
        Case("send", "--batch", "x", "--alert", "Hi", says: "their own payloads"),
        Case("send", "--batch", "x", "--tokens", "y", says: "their own device tokens"),
        Case("send", "--batch", "x", "--gateway", "a", "--environment", "sandbox", says: "give one of them"),
        Case("send", "--batch", "x", "--environment", "test", says: "sandbox or production"),
        Case("send", "--batch", "x", "--key", "a", "--certificate", "b", says: "give one of them"),
        Case("send", "--batch", "-", "--journal", "y", says: "--journal needs a file"),
        Case("send", "--batch", "x", "--resend-unknown", says: "needs --journal"),
        Case("gateway", "--replay", "x", "--store", "y", says: "does not take --store"),
        Case("gateway", "--retain-bytes", "0", says: "'--retain-bytes <bytes>': it must be a number from 1"),
        Case("validate", "--fail-on", "fatal", says: "error, warning or note"),
        Case("validate", "--format", "xml", says: "xml"),
        Case("validate", "-", "-", says: "only once"),
        Case("validate", "", says: "A PATH is empty"),
        Case("validate", "--stdin-filename", "x", says: "standard input"),
        Case("rules", "background-prioritty", says: "Did you mean background-priority?"),
        Case("rules", "nothing-of-the-kind", says: "List them all with"),
        Case("rules", "--schema", "yaml", says: "payload, envelope, file"),
        Case("rules", "--schema", "payload", "background-alert", says: "use it alone"),
        Case("token", "check", "e30.e30.", says: "no key to check with"),
        Case("token", "check", "x", "--key", "a", "--public-key", "b", says: "give one of them"),
        Case("sent", says: "Did you mean send?"),
        Case("gatway", says: "apns has no subcommand gatway. Did you mean gateway?"),
        Case("help", "gatway", says: "Did you mean gateway?"),
        Case("send", "--tokn", device, says: "apns send has no option --tokn. Did you mean --token?"),
        Case("send", "--token", device, "--alrt", "Hi", says: "Did you mean --alert?"),
        Case("gateway", "--prot", "1", says: "Did you mean --port?"),
        Case("org", "log", "--folow", says: "Did you mean --follow?"),
        Case("token", "check", "--ky", "a", says: "Did you mean --key?"),
        Case("send", "--token", "<740f4707 bebcf74f>", "--alert", "Hi", says: "without brackets and spaces: 740f…f74f"),
        Case("send", "--token", "x:APA91bHun4MxP5", "--alert", "Hi", says: "Firebase Cloud Messaging"),
        Case("send", "--token", device, "--alert", "Hi", "--expiration", "1h", says: "did you mean +1h?"),
        Case("send", "--token", device, "--alert", "Hi", "--push-type", "silent", says: "did you mean background?"),
        Case("send", "--token", device, "--title", "Hi", "--payload", "{}", says: "--payload and --title both"),
        Case("worker", "status", "--queue", "redis:///0", says: "Error: the queue: the URL of the queue has no host"),
        Case("worker", "status", "--queue", "postgres://h/db?x=1", says: "Error: the queue: libpq cannot read the URL"),
    ]

    @Test(arguments: cases) func `bad arguments end with status 64 and a message on stderr`(bad: Case) async throws {
        try await withCommand { command in
            let result = try await command.run(bad.arguments)
            #expect(result.status == 64)
            #expect(result.errors.contains(bad.says), "\(result.errors)")
            #expect(result.output.isEmpty)
            #expect(!result.errors.contains(BadArgumentsTests.device), "a message has a whole device token")
        }
    }

    @Test func `the version is a number`() async throws {
        try await withCommand { command in
            let result = try await command.run(["--version"])
            #expect(result.status == 0)
            #expect(result.output.first?.isNumber == true)
        }
    }
}
