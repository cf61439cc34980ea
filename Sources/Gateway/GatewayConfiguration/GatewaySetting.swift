/// A setting of a gateway: its name on the command line and in the configuration file, and what it does.
///
/// The options of `apns gateway`, their help, the keys that a configuration file may have, and the tables in
/// docs/configuration.md all come from `GatewaySetting.all`.
package struct GatewaySetting: Hashable, Sendable {
    /// What a setting is for.
    package enum Scope: Hashable, Sendable {
        /// The gateway as a whole.
        case gateway
        /// One world. Its key may also be in an entry of `worlds`; the option is for the default world.
        case world
    }

    /// What counts when both the command line and the file have the setting.
    package enum Precedence: Hashable, Sendable {
        case optionReplaces, optionAdds
    }

    /// What the option takes.
    package enum Form: Hashable, Sendable {
        case value
        /// Nothing: the option alone switches it on.
        case flag
        /// A value each time that it is given.
        case list
    }

    /// The name on the command line, without hyphens; nil for a setting that only the file has.
    package let option: String?
    package let form: Form
    /// The key in the file; nil for a setting that only the command line has.
    package let key: String?
    package let scope: Scope
    package let precedence: Precedence
    /// Whether a replay uses it. It refuses the others, because they are about a gateway that runs.
    package let isForReplay: Bool
    /// How the help names the value; nil for the name of the option.
    package let valueName: String?
    /// What it does, in Markdown.
    package let summary: String
    /// What counts when it is not set, in Markdown; nil where that needs no words.
    package let fallback: String?
    /// What the key takes, where that differs from the option, in Markdown.
    package let inFile: String?

    /// A setting that an option has, and a key of the same name unless `key` says otherwise.
    static func option(
        _ option: String, form: Form = .value, key: String?, scope: Scope = .gateway,
        precedence: Precedence = .optionReplaces, isForReplay: Bool = false, value: String? = nil, _ summary: String,
        fallback: String? = nil, inFile: String? = nil
    ) -> GatewaySetting {
        GatewaySetting(
            option: option, form: form, key: key, scope: scope, precedence: precedence, isForReplay: isForReplay,
            valueName: value, summary: summary, fallback: fallback, inFile: inFile)
    }

    static func option(
        _ option: String, form: Form = .value, scope: Scope = .gateway, isForReplay: Bool = false,
        value: String? = nil, _ summary: String, fallback: String? = nil, inFile: String? = nil
    ) -> GatewaySetting {
        .option(
            option, form: form, key: option, scope: scope, isForReplay: isForReplay, value: value, summary,
            fallback: fallback, inFile: inFile)
    }

    /// A setting that only the file has.
    static func key(_ key: String, scope: Scope, _ summary: String, fallback: String) -> GatewaySetting {
        GatewaySetting(
            option: nil, form: .value, key: key, scope: scope, precedence: .optionReplaces, isForReplay: true,
            valueName: nil,
            summary: summary, fallback: fallback, inFile: nil)
    }

    /// How messages name the setting: as an option where there is one, such as `--port`.
    package var flag: String { option.map { "--\($0)" } ?? key ?? "" }

    /// The environment variable that counts when the option is absent, such as `APNS_GATEWAY_CONTROL_PORT`.
    package var variable: String? {
        option.map { GatewaySetting.variablePrefix + $0.uppercased().replacing("-", with: "_") }
    }

    static let variablePrefix = "APNS_GATEWAY_"

    package static func named(option: some StringProtocol) -> GatewaySetting? {
        all.first { $0.option.map { $0 == option } ?? false }
    }

    /// The keys of a scope, each once.
    static func keys(_ scope: Scope) -> [String] {
        var keys: [String] = []
        for case let key? in all.filter({ $0.scope == scope }).map(\.key) where !keys.contains(key) { keys.append(key) }
        return keys
    }
}

// MARK: - Documentation

extension GatewaySetting {
    /// The sentence about the option in `--help`.
    package var help: String {
        let text = fallback.map { "\(summary.dropLast(summary.hasSuffix(".") ? 1 : 0)) (default: \($0))." } ?? summary
        return text.filter { $0 != "`" }
    }

    /// Which options have no key, which have one of another name, and which keys have no option, as sentences.
    package static var helpOfKeys: String {
        func list(_ words: [String]) -> String {
            words.count < 2
                ? words.joined() : words.dropLast().joined(separator: ", ") + " and \(words[words.count - 1])"
        }
        let options = all.filter { $0.option != nil }
        let without = options.filter { $0.key == nil }.map(\.flag)
        let renamed = options.filter { $0.key != nil && $0.key != $0.option }
        let other = (keys(.gateway) + keys(.world)).compactMap { key in
            let flags = renamed.filter { $0.key == key }.map(\.flag)
            return flags.isEmpty ? nil : "\(key) (\(flags.joined(separator: ", ")))"
        }
        let onlyInFile = all.filter { $0.option == nil }.compactMap(\.key)
        return "The file can have every option but \(list(without)), as a key of the same name; other names are "
            + "\(list(other)). Only the file has \(list(onlyInFile))."
    }

    /// The settings of a scope as a Markdown table with a row each.
    package static func table(_ scope: Scope) -> String {
        let rows = all.filter { $0.scope == scope }.map { setting in
            let cells = [
                setting.option.map { "`--\($0)`" } ?? "", setting.key.map { "`\($0)`" } ?? "",
                [setting.summary, setting.inFile].compactMap(\.self).joined(separator: " "), setting.fallback ?? "",
            ]
            return "| " + cells.joined(separator: " | ") + " |"
        }
        return (["| option | key | what it does | default |", "|---|---|---|---|"] + rows).joined(separator: "\n")
    }
}
