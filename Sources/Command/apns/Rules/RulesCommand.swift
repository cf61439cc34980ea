import APNSModel
import APNSPayload
import ArgumentParser
import PayloadLint

/// `apns rules`: lists and explains the rules of the validator.
struct RulesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "Lists the rules of the validator, or explains one.",
        discussion: """
            EXAMPLE
              apns rules background-priority
              apns rules --schema payload > payload.schema.json

            EXIT STATUS: 0 done; 2 the output could not be written; 64 bad arguments, also for a rule that does not exist. \
            No environment variable is read.
            """)

    @Argument(help: ArgumentHelp("The rule to explain (default: list all).", valueName: "id"), completion: .rules)
    var id: String?

    @Flag(help: "Print one JSON object for each rule.")
    var json = false

    @Option(
        help: ArgumentHelp(
            """
            Print the rules as a JSON Schema (2020-12), as far as one can express them: payload, envelope, or file for \
            either, which refers to payload.schema.json and envelope.schema.json beside it.
            """, valueName: "kind"),
        transform: ArgumentReading.schema)
    var schema: PayloadSchema?

    @Flag(help: .hidden)
    var page = false

    func validate() throws {
        guard schema == nil || (id == nil && !json && !page) else {
            throw ValidationError("--schema prints a JSON Schema of all rules; use it alone.")
        }
    }

    func run() throws {
        if let schema { return Output.standard.write(schema.text) }
        if page { return Output.standard.write(RulesPage.markdown(RuleCatalog.all)) }
        guard let id else {
            guard json else { return Output.standard.write(RulesPage.list(RuleCatalog.all)) }
            return RuleCatalog.all.forEach { Output.standard.result(RuleText.json($0)) }
        }
        guard let rule = RuleCatalog.named(id) else {
            let meant = Suggestion.best(for: id, among: RuleCatalog.all.map(\.id)).map { "Did you mean \($0)?" }
            throw CommandError(
                "there is no rule \"\(PlainText.safe(ShownText.cut(id, to: 80)))\". \(meant ?? "List them all with: apns rules")",
                .badArguments)
        }
        guard json else { return Output.standard.write(RulesPage.text(for: rule)) }
        Output.standard.result(RuleText.json(rule, isWhole: true))
    }
}
