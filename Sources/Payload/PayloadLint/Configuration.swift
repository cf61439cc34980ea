package import APNSModel
package import APNSPayload
import ConfigurationText

/// The content of an `.apns-validate.yaml`, including the configurations that it extends.
package struct Configuration: Hashable, Sendable {
    /// Settings for some of the files.
    package struct Override: Hashable, Sendable {
        package var paths: [Glob] = []
        package var pushType: PushType?
        package var topic: Topic?
        package var rules: [String: RuleSetting] = [:]
        /// The names of the contracts that apply; nil for all.
        package var contracts: [String]?
        /// The places of these names in the configuration.
        var contractReferences: [ContractReference] = []
    }

    struct ContractReference: Hashable, Sendable {
        var name: String
        var file: String
        var line: Int?
        var column: Int?
        var key: String
    }

    package static let fileName = ".apns-validate.yaml"

    /// The name of its file for messages.
    package var file: String
    /// The folder that patterns for paths are relative to; an absolute path.
    package var folder: String
    package var pushType: PushType?
    package var topic: Topic?
    package var failOn: Severity?
    package var exclude: [Glob] = []
    package var rules: [String: RuleSetting] = [:]
    package var contracts: [ApplicationContract] = []
    /// Later overrides take precedence.
    package var overrides: [Override] = []
    /// Every file that was read for it, including its own; absolute paths.
    package var files: [String] = []

    package init(file: String, folder: String) {
        self.file = file
        self.folder = folder
    }

    /// Adds the settings of `other`, which take precedence.
    mutating func merge(_ other: Configuration) {
        pushType = other.pushType ?? pushType
        topic = other.topic ?? topic
        failOn = other.failOn ?? failOn
        exclude += other.exclude
        rules.merge(other.rules) { $1 }
        // A contract replaces an earlier one of the same name.
        let names = Set(other.contracts.map(\.name))
        contracts = contracts.filter { !names.contains($0.name) } + other.contracts
        overrides += other.overrides
        files += other.files
    }

    /// An error for each contract that an override names and no configuration declares. Complete only after all
    /// extended configurations are read.
    var unknownContractErrors: [ConfigurationError] {
        let names = contracts.map(\.name)
        return overrides.flatMap(\.contractReferences).filter { !names.contains($0.name) }.map { reference in
            let meant = Suggestion.best(for: reference.name, among: names).map { "did you mean \($0)?" }
            let advice = meant ?? "the key contracts declares \(names.isEmpty ? "none" : names.joined(separator: ", "))"
            return ConfigurationError(
                file: reference.file, line: reference.line, column: reference.column, key: reference.key,
                "there is no contract \"\(ShownText.cut(reference.name, to: 60))\"; \(advice)")
        }
    }
}
