import Testing

struct HelpTests {
    struct Page: CustomTestStringConvertible {
        var command: [String]
        var options: [String]
        var testDescription: String { command.joined(separator: " ") }
    }

    static let pages = [
        Page(
            command: ["send"],
            options: [
                "gateway", "environment", "key", "key-id", "team-id", "certificate", "certificate-key", "topic",
                "token", "tokens", "batch", "push-type", "priority", "expiration", "collapse-id", "apns-id", "payload",
                "alert", "hint", "record", "changed", "ca", "connections", "timeout", "skip-validation", "json",
                "journal", "rate", "resend-unknown", "profile", "profile-file", "title", "subtitle", "body", "sound",
                "badge",
                "thread-id", "category", "custom", "user", "org", "dry-run", "print-curl", "verbose", "proxy",
                "channel",
            ]),
        Page(command: ["world"], options: []),
        Page(command: ["world", "list"], options: ["control", "control-token", "json"]),
        Page(command: ["world", "make"], options: ["from", "port", "with-token", "control", "control-token"]),
        Page(command: ["world", "export"], options: ["state", "no-state", "control", "control-token"]),
        Page(command: ["world", "import"], options: ["control", "control-token"]),
        Page(command: ["world", "remove"], options: ["idle", "control", "control-token"]),
        Page(command: ["channels"], options: []),
        Page(
            command: ["channels", "create"], options: ["storage", "gateway", "environment", "topic", "proxy", "json"]),
        Page(command: ["channels", "read"], options: ["gateway", "topic", "timeout", "json"]),
        Page(command: ["channels", "list"], options: ["gateway", "topic", "timeout", "json"]),
        Page(command: ["channels", "delete"], options: ["gateway", "topic", "timeout", "json"]),
        Page(
            command: ["validate"],
            options: [
                "push-type", "topic", "format", "config", "baseline", "write-baseline", "fail-on", "fix", "diff",
                "stdin-filename", "watch", "output",
            ]),
        Page(command: ["rules"], options: ["schema", "json"]),
        Page(
            command: ["gateway"],
            options: [
                "host", "port", "control-port", "channel-port", "credentials", "environment", "devices", "key",
                "team-id", "any-key", "retain", "clock", "seed", "control-token", "json", "faults", "worlds", "webhook",
                "remote-webhooks", "unregistered-delay", "config", "check-config", "contested", "device-rate",
                "channel-rate", "store", "record", "replay", "retain-bytes",
            ]),
        Page(
            command: ["device"],
            options: [
                "control", "topic", "token", "org", "count", "channel", "after", "forward", "simulator", "bundle",
                "exec", "attempts", "time-limit", "json",
            ]),
        Page(
            command: ["org", "run"],
            options: [
                "org", "port", "host", "control-token", "check", "verbose", "json", "gateway", "key", "key-id",
                "team-id", "ca", "profile",
            ]),
        Page(command: ["org"], options: []),
        Page(command: ["org", "explain"], options: ["change", "json", "at"]),
        Page(command: ["org", "edit"], options: ["all", "user", "flow", "json", "at"]),
        Page(command: ["org", "log"], options: ["follow", "after", "json", "at"]),
        Page(command: ["org", "create"], options: ["user", "at"]),
        Page(command: ["org", "delete"], options: ["user", "at"]),
        Page(command: ["org", "records"], options: ["at"]),
        Page(command: ["org", "call"], options: ["at"]),
        Page(command: ["token"], options: []),
        Page(command: ["org", "login"], options: ["app", "json", "at"]),
        Page(command: ["credentials"], options: ["output", "json", "certificate", "topic", "p12", "renew", "force"]),
        Page(
            command: ["doctor"],
            options: [
                "gateway", "environment", "key", "key-id", "team-id", "certificate", "profile", "ca", "proxy", "topic",
                "token", "queue", "date-url", "timeout", "offline", "json",
            ]),
        Page(command: ["demo"], options: []),
        Page(
            command: ["bench"],
            options: [
                "gateway", "profile", "key", "topic", "push-type", "rate", "count", "duration", "warm-up",
                "connections", "tasks",
                "pending", "payload-bytes", "device-tokens", "timeout", "skip-validation", "json", "chart",
            ]),
        Page(command: ["completions"], options: []),
        Page(
            command: ["personalization"],
            options: ["host", "port", "config", "clock", "seed", "control-token", "check", "json"]),
        Page(
            command: ["personalization", "run"],
            options: ["host", "port", "config", "clock", "seed", "store", "control-token", "check", "json"]),
        Page(command: ["personalization", "play"], options: ["url", "expect", "json"]),
        Page(
            command: ["optimization"],
            options: ["host", "port", "config", "clock", "seed", "store", "control-token", "check", "json"]),
        Page(
            command: ["optimization", "run"],
            options: ["host", "port", "config", "clock", "seed", "store", "control-token", "check", "json"]),
        Page(command: ["optimization", "resolve"], options: ["entry", "selections", "include", "json"]),
        Page(command: ["optimization", "allocate"], options: ["experience", "profile", "text", "json"]),
        Page(command: ["optimization", "check"], options: ["format", "fail-on", "output"]),
        Page(command: ["optimization", "play"], options: ["url", "expect", "json"]),
        Page(command: ["worker"], options: []),
        Page(
            command: ["worker", "run"],
            options: [
                "queue", "gateway", "key", "tenants", "lane", "rate", "lease", "attempts", "dedupe", "port", "once",
                "json",
            ]),
        Page(
            command: ["worker", "enqueue"],
            options: ["queue", "batch", "chunk", "lane", "tenant", "at", "max-backlog", "id", "json"]),
        Page(command: ["worker", "status"], options: ["queue", "json"]),
        Page(command: ["worker", "feedback"], options: ["queue", "take", "json"]),
        Page(command: ["worker", "dead"], options: []),
        Page(command: ["worker", "later"], options: []),
        Page(command: ["worker", "sql"], options: []),
        Page(command: ["simulate"], options: ["seed", "seeds", "from", "threads", "trace", "json"]),
        Page(command: ["token", "make"], options: ["key", "key-id", "team-id", "gateway", "profile"]),
        Page(command: ["token", "show"], options: []),
        Page(command: ["payload"], options: []),
        Page(
            command: ["payload", "new"],
            options: ["type", "push-type", "event", "envelope", "topic", "token", "compact"]),
        Page(command: ["payload", "explain"], options: ["push-type", "json"]),
        Page(command: ["payload", "convert"], options: ["from", "topic"]),
        Page(command: ["token", "device"], options: ["json"]),
        Page(command: ["token", "check"], options: ["public-key", "key", "gateway", "profile"]),
    ]

    private static func options(_ help: String) -> Set<String> {
        Set(
            help.split(whereSeparator: { " [],|<>\n=/".contains($0) }).filter { $0.hasPrefix("--") }
                .map { String($0.dropFirst(2)) })
    }

    @Test(arguments: pages)
    func `the help has an example, the exit statuses and the options of the contract`(page: Page) async throws {
        try await withCommand { command in
            let result = try await command.run(page.command + ["--help"])
            #expect(result.status == 0)
            #expect(result.errors.isEmpty)
            #expect(result.output.contains("EXAMPLE"))
            #expect(result.output.contains("EXIT STATUS"))
            #expect(!result.output.contains("\u{1B}"))
            let options = HelpTests.options(result.output)
            #expect(Set(page.options).subtracting(options).isEmpty)
        }
    }

    @Test(arguments: pages)
    func `each line of an example can be pasted: it is not broken in two`(page: Page) async throws {
        try await withCommand { command in
            let lines = try await command.run(page.command + ["--help"]).output
                .split(separator: "\n", omittingEmptySubsequences: false)
            let begin = try #require(lines.firstIndex { $0.hasPrefix("EXAMPLE") })
            // The rest of a line that is too long stands at the margin.
            for line in lines[(begin + 1)...].prefix(while: { !$0.isEmpty }) {
                #expect(line.hasPrefix("  "), "\(line)")
            }
        }
    }

    @Test func `help of send names the environment variables`() async throws {
        try await withCommand { command in
            let help = try await command.run(["send", "--help"]).output
            for name in ["KEY", "KEY_ID", "TEAM_ID", "TOPIC", "GATEWAY", "CA", "CERTIFICATE"] {
                #expect(help.contains("APNS_\(name)"))
            }
        }
    }
}
