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
              apns rules --push-type liveactivity --severity error
              apns rules --search sound
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

    @Option(
        help: "List the rules of this layer only: gateway, delivery, device or style.",
        transform: ArgumentReading.choice)
    var layer: Layer?

    @Option(help: "List the rules of this severity only: error, warning or note.", transform: ArgumentReading.choice)
    var severity: Severity?

    @Option(
        help: ArgumentHelp("List the rules that apply to this push type only.", valueName: "type"),
        completion: .pushTypes)
    var pushType: PushTypeArgument?

    @Option(help: ArgumentHelp("List the rules whose text has all of these words.", valueName: "words"))
    var search: String?

    @Flag(help: .hidden)
    var page = false

    @Flag(help: .hidden)
    var htmlPage = false

    private var hasFilter: Bool { layer != nil || severity != nil || pushType != nil || search != nil }

    func validate() throws {
        guard schema == nil || (id == nil && !json && !page) else {
            throw ValidationError("--schema prints a JSON Schema of all rules; use it alone.")
        }
        try pushType?.check()
        guard !hasFilter || (id == nil && schema == nil && !page && !htmlPage) else {
            throw ValidationError("--layer, --severity, --push-type and --search are for the list; leave out the rule.")
        }
    }

    func run() throws {
        if let schema { return Output.standard.write(schema.text) }
        if page { return Output.standard.write(RulesPage.markdown(RuleCatalog.all)) }
        if htmlPage { return Output.standard.write(RulesSite.html(RuleCatalog.all)) }
        guard let id else {
            let filter = RuleFilter(layer: layer, severity: severity, pushType: pushType?.value, words: search)
            let rules = RuleCatalog.all.filter { filter.admits($0) }
            guard !json else { return rules.forEach { Output.standard.result(RuleText.json($0)) } }
            guard !rules.isEmpty else { return Output.standard.note("No rule is like that.") }
            let width = System.terminalWidth(1)
            Output.standard.note(RulesPage.header(of: rules, width: width))
            let list = RulesPage.list(rules, width: width)
            return Output.standard.write(RuleColours(Output.standard.results).list(list, of: rules))
        }
        guard let rule = RuleCatalog.named(id) else {
            let meant = Suggestion.best(for: id, among: RuleCatalog.all.map(\.id)).map { "Did you mean \($0)?" }
            throw CommandError(
                "there is no rule \"\(PlainText.safe(ShownText.cut(id, to: 80)))\". \(meant ?? "List them all with: apns rules")",
                .badArguments)
        }
        guard json else {
            let text = RulesPage.text(for: rule, width: System.terminalWidth(1))
            return Output.standard.write(RuleColours(Output.standard.results).page(text, of: rule))
        }
        Output.standard.result(RuleText.json(rule, isWhole: true))
    }
}
