import ArgumentParser
import Optimization
import PushDispatch

/// `apns optimization resolve`: what an app shows for an entry, and why.
struct OptimizationResolveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Prints which variant of an entry an app shows for the selections of a profile, and why.",
        discussion: """
            EXAMPLES:
              apns optimization resolve --entry hero.json --selections selections.json
              echo '[{"experienceId":"exp-1","variantIndex":1}]' \\
                | apns optimization resolve --entry hero.json --selections - --json \\
                    --include experiences.json
              curl -H 'Content-Type: text/plain' -d '{"events":[{"type":"page"}]}' URL \\
                | apns optimization resolve --entry reply.json --selections -

            The file of --entry has a delivery reply, an array of entries or one entry; there is a line for each of its \
            items. Links are replaced by the entries of both files. --selections is an array, or the reply of the profile \
            service; null stands for the time before the first reply. The result is that of the library Optimization in \
            an app.

            EXIT STATUS: 0 done; 2 a file cannot be read; 64 bad arguments.
            """)

    @Option(
        help: ArgumentHelp("A delivery reply, an array of entries or one entry.", valueName: "file"),
        completion: .file())
    var entry: String
    @Option(
        help: ArgumentHelp("What the profile service has selected; - is standard input.", valueName: "file|-"),
        completion: .file())
    var selections: String
    @Option(
        help: ArgumentHelp("A delivery reply with entries that the first file links to.", valueName: "file"),
        completion: .file())
    var include: String?
    @Flag(help: "Print a JSON object for each entry.")
    var json = false

    func validate() throws {
        for (name, value) in [("--entry", entry), ("--selections", selections), ("--include", include)]
        where value == "" {
            throw ValidationError("\(name) is empty; name a file")
        }
        guard [entry, selections, include].count(where: { $0 == "-" }) < 2 else {
            throw ValidationError("standard input (-) can be read only once")
        }
    }

    func run() throws {
        var reply = try EntryFile.reply(entry)
        if let include {
            let more = try EntryFile.reply(include)
            reply.includes += more.items + more.includes
        }
        guard !reply.items.isEmpty else {
            throw CommandError("\(entry) has no entry with sys.id; it can be a delivery reply, an array or one entry")
        }
        let selections = try EntryFile.selections(selections)
        let linked = reply.linkedEntries()
        for link in linked.unreplaced { Output.standard.note("\(entry): \(PlainText.safe(link.description))") }
        for baseline in linked.entries { show(EntryResolver.resolve(baseline, selections: selections), of: baseline) }
    }

    private func show(_ resolution: EntryResolution, of baseline: ContentEntry) {
        guard json else {
            let name = PlainText.safe(baseline.id ?? "")
            let shown =
                resolution.isEmptyVariant
                ? "nothing" : resolution.isVariant ? resolution.entry.id ?? "" : "the baseline"
            return Output.standard.result(
                "\(name)  shows \(PlainText.safe(shown)): \(PlainText.safe(resolution.reason.description))")
        }
        let line: [(key: String, value: JSONValue)] = [
            ("entry", resolution.entry.json), ("selection", resolution.selection?.json ?? .null),
            ("empty-variant", .bool(resolution.isEmptyVariant)), ("why", .string(resolution.reason.description)),
        ]
        var bytes: [UInt8] = []
        JSONValue.appendObject(line, to: &bytes)
        Output.standard.write(bytes + [0x0a])
    }
}
