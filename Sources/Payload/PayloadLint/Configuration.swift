package import APNSModel
package import APNSPayload
import ConfigurationText

/// What an `.apns-validate.yaml` says, with what it extends.
package struct Configuration: Hashable, Sendable {
    /// What some of the files have different from the rest.
    package struct Override: Hashable, Sendable {
        package var paths: [Glob] = []
        package var pushType: PushType?
        package var topic: Topic?
        package var rules: [String: RuleSetting] = [:]
        /// The names of the contracts that count; nil for all.
        package var contracts: [String]?
        /// Where the names of contracts stand.
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

    /// How messages name its file.
    package var file: String
    /// Patterns for paths count from here; absolute.
    package var folder: String
    package var pushType: PushType?
    package var topic: Topic?
    package var failOn: Severity?
    package var exclude: [Glob] = []
    package var rules: [String: RuleSetting] = [:]
    package var contracts: [ApplicationContract] = []
    /// Later ones win.
    package var overrides: [Override] = []
    /// Every file that was read for it, itself included; absolute.
    package var files: [String] = []

    package init(file: String, folder: String) {
        self.file = file
        self.folder = folder
    }

    /// Puts what `other` says over what this says.
    mutating func merge(_ other: Configuration) {
        pushType = other.pushType ?? pushType
        topic = other.topic ?? topic
        failOn = other.failOn ?? failOn
        exclude += other.exclude
        rules.merge(other.rules) { $1 }
        // A contract of the same name is that contract, said anew.
        let names = Set(other.contracts.map(\.name))
        contracts = contracts.filter { !names.contains($0.name) } + other.contracts
        overrides += other.overrides
        files += other.files
    }

    /// The contracts that overrides name and nobody declares. Only known when all that is extended was read.
    var unknownContractErrors: [ConfigurationError] {
        let names = contracts.map(\.name)
        return overrides.flatMap(\.contractReferences).filter { !names.contains($0.name) }.map { reference in
            let meant = Suggestion.best(for: reference.name, among: names).map { "did you mean \($0)?" }
            let advice = meant ?? "the key contracts declares \(names.isEmpty ? "none" : names.joined(separator: ", "))"
            return ConfigurationError(
                file: reference.file, line: reference.line, column: reference.column, key: reference.key,
                "there is no contract \"\(reference.name.prefix(60))\"; \(advice)")
        }
    }
}
