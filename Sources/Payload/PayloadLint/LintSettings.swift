package import APNSModel
package import APNSPayload

/// The settings for a file: the rules with their severities, and values for unknown headers.
package struct LintSettings: Hashable, Sendable {
    package var pushType: PushType?
    package var topic: Topic?
    /// Where the two come from, for messages: an option, or a key of a configuration.
    package var pushTypeOption: String
    package var topicOption: String
    /// The lowest severity that counts as a failure.
    package var failOn: Severity
    package var rules: [Rule]
    package var contracts: [ApplicationContract]
    /// The rules of `LintRule.all` that are on, with their severities.
    var lintRules: [Rule]

    /// - Parameters:
    ///   - overrides: The overrides of `configuration` that apply to the file.
    ///   - command: The settings of the command line, which take precedence.
    init(_ configuration: Configuration?, _ overrides: [Configuration.Override], _ command: LintOptions) {
        var settings = configuration?.rules ?? [:]
        for override in overrides { settings.merge(override.rules) { $1 } }
        pushType = command.pushType ?? overrides.compactMap(\.pushType).last ?? configuration?.pushType
        topic = command.topic ?? overrides.compactMap(\.topic).last ?? configuration?.topic
        let file = configuration?.file ?? Configuration.fileName
        pushTypeOption = command.pushType == nil ? "push-type of \(file)" : "--push-type"
        topicOption = command.topic == nil ? "topic of \(file)" : "--topic"
        failOn = command.failOn ?? configuration?.failOn ?? .error
        rules = LintSettings.apply(
            settings, to: command.allowsNewPushTypes ? Rule.allAllowingNewPushTypes : Rule.all)
        let names = overrides.compactMap(\.contracts).last
        contracts = (configuration?.contracts ?? []).filter { names?.contains($0.name) ?? true }
        lintRules = LintSettings.apply(settings, to: LintRule.all)
    }

    private static func apply(_ settings: [String: RuleSetting], to rules: [Rule]) -> [Rule] {
        rules.compactMap { rule in
            switch settings[rule.id] {
            case nil, .on: rule
            case .off: nil
            case .severity(let severity): severity == rule.severity ? rule : rule.with(severity: severity)
            }
        }
    }

    /// A rule about suppressions with its severity here; nil if it is off.
    package func lintRule(_ rule: Rule) -> Rule? { lintRules.first { $0.id == rule.id } }
}
