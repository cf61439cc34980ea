import APNSModel
import APNSPayload
package import ConfigurationText

/// Reads configurations and those that they extend.
///
/// A setting that is not valid is reported and left out. The rest of the configuration still applies, so that a single
/// mistake does not prevent the check.
package struct ConfigurationReader: Sendable {
    /// Returns the content of the file at an absolute path.
    package typealias ReadFile = @Sendable (_ path: String) -> FileContent

    private let currentFolder: String
    private let readFile: ReadFile
    private let allowsNewPushTypes: Bool

    /// - Parameters:
    ///   - currentFolder: An absolute path. Messages name files relative to it.
    ///   - allowsNewPushTypes: Whether the push type of files can be one that this version does not know.
    package init(currentFolder: String, allowsNewPushTypes: Bool = false, readFile: @escaping ReadFile) {
        self.currentFolder = currentFolder
        self.allowsNewPushTypes = allowsNewPushTypes
        self.readFile = readFile
    }

    /// The configuration of a file; nil if there is no such file.
    ///
    /// - Parameters:
    ///   - path: An absolute path.
    ///   - folder: The folder that patterns are relative to, including those of extended configurations.
    package func read(
        _ path: String, patternsFrom folder: String
    ) -> (configuration: Configuration, errors: [ConfigurationError])? {
        let content = readFile(path)
        if content == .absent { return nil }
        var errors: [ConfigurationError] = []
        let configuration = read(path, content, patternsFrom: folder, chain: [], &errors)
        return (configuration, errors + configuration.unknownContractErrors)
    }

    private func read(
        _ path: String, _ content: FileContent, patternsFrom folder: String, chain: [String],
        _ errors: inout [ConfigurationError]
    ) -> Configuration {
        let name = name(of: path)
        var configuration = Configuration(file: name, folder: folder)
        configuration.files = [path]
        let root: YAMLNode?
        switch content {
        case .absent: root = nil
        case .unreadable(let reason):
            errors.append(ConfigurationError(file: name, "it cannot be read: \(reason)"))
            root = nil
        case .bytes(let bytes):
            do throws(ConfigurationError) {
                root = try YAMLText.read(bytes, name: name)
            } catch {
                errors.append(error)
                root = nil
            }
        }
        guard let root, !root.isNothing else { return configuration }
        var reader = YAMLReader(file: name)
        let members = reader.members(of: root, nil, known: ConfigurationReader.keys)
        for (key, path, node) in members { take(key, path, node, &configuration, &reader) }
        let bases = members.first { $0.name == "extends" }.map { reader.strings($0.node, $0.key) } ?? []
        errors += reader.errors
        var whole = Configuration(file: name, folder: folder)
        for base in bases {
            guard let base = self.base(base, of: path, patternsFrom: folder, chain: chain + [path], &errors) else {
                continue
            }
            whole.merge(base)
        }
        whole.merge(configuration)
        return whole
    }

    /// A configuration that another one extends.
    private func base(
        _ base: (text: String, key: String, node: YAMLNode), of path: String, patternsFrom folder: String,
        chain: [String],
        _ errors: inout [ConfigurationError]
    ) -> Configuration? {
        func report(_ message: String) {
            errors.append(
                ConfigurationError(
                    file: name(of: path), line: base.node.mark?.line, column: base.node.mark?.column, key: base.key,
                    message))
        }
        let target = PathText.absolute(base.text, in: PathText.folder(of: path))
        if let start = chain.firstIndex(of: target) {
            let circle = (chain[start...] + [target]).map { name(of: $0) }.joined(separator: " extends ")
            report("these configurations extend each other in a circle: \(circle); remove one of them")
            return nil
        }
        guard chain.count < ConfigurationReader.maximumChain else {
            report("more than \(ConfigurationReader.maximumChain) configurations extend each other in a chain")
            return nil
        }
        let content = readFile(target)
        if content == .absent {
            report("there is no file \(name(of: target)); the path is relative to the folder of this configuration")
            return nil
        }
        return read(target, content, patternsFrom: folder, chain: chain, &errors)
    }

    private func name(of path: String) -> String {
        let name = PathText.relative(path, to: currentFolder)
        return name.hasPrefix("../../..") ? path : name
    }

    private static let maximumChain = 32
    private static let keys = [
        "extends", "push-type", "topic", "fail-on", "exclude", "rules", "overrides", "contracts",
    ]
    private static let overrideKeys = ["paths", "push-type", "topic", "rules", "contracts"]

    private func take(
        _ key: String, _ path: String, _ node: YAMLNode, _ configuration: inout Configuration,
        _ reader: inout YAMLReader
    ) {
        switch key {
        case "push-type": configuration.pushType = pushType(node, path, &reader)
        case "topic": configuration.topic = topic(node, path, &reader)
        case "fail-on":
            configuration.failOn = reader.word(node, path, Severity.allCases.map { ($0.rawValue, $0) })
        case "exclude": configuration.exclude = reader.globs(node, path)
        case "rules": configuration.rules = rules(node, path, &reader)
        case "contracts":
            configuration.contracts = contracts(node, path, &reader)
        case "overrides":
            configuration.overrides = reader.list(node, path).map { override($0.node, $0.key, &reader) }
        default: break
        }
    }

    private func override(_ node: YAMLNode, _ key: String, _ reader: inout YAMLReader) -> Configuration.Override {
        var override = Configuration.Override()
        let members = reader.members(of: node, key, known: ConfigurationReader.overrideKeys)
        for (name, path, node) in members {
            switch name {
            case "paths": override.paths = reader.globs(node, path)
            case "push-type": override.pushType = pushType(node, path, &reader)
            case "topic": override.topic = topic(node, path, &reader)
            case "rules": override.rules = rules(node, path, &reader)
            case "contracts":
                let names = reader.strings(node, path)
                override.contracts = names.map(\.text)
                override.contractReferences = names.map { name in
                    Configuration.ContractReference(
                        name: name.text, file: reader.file, line: name.node.mark?.line,
                        column: name.node.mark?.column, key: name.key)
                }
            default: break
            }
        }
        if node.isMapping, !members.contains(where: { $0.name == "paths" }) {
            reader.report(
                "the key paths is missing, which names the files that this override applies to", at: node, key)
        }
        return override
    }

    private func contracts(_ node: YAMLNode, _ key: String, _ reader: inout YAMLReader) -> [ApplicationContract] {
        var contracts: [ApplicationContract] = []
        for (key, node) in reader.list(node, key) {
            guard let contract = ContractReader.contract(node, key, &reader) else { continue }
            guard !contracts.contains(where: { $0.name == contract.name }) else {
                reader.report("there is already a contract with the name \(contract.name)", at: node, key)
                continue
            }
            contracts.append(contract)
        }
        return contracts
    }

    private func rules(_ node: YAMLNode, _ key: String, _ reader: inout YAMLReader) -> [String: RuleSetting] {
        var settings: [String: RuleSetting] = [:]
        for (id, path, node) in reader.members(of: node, key) {
            guard RuleCatalog.named(id) != nil else {
                reader.report(
                    "there is no rule \"\(ShownText.cut(id, to: 60))\"; \(RuleCatalog.advice(for: id))", at: node, path)
                continue
            }
            settings[id] = reader.word(node, path, RuleSetting.words)
        }
        return settings
    }

    private func pushType(_ node: YAMLNode, _ key: String, _ reader: inout YAMLReader) -> PushType? {
        guard let text = reader.string(node, key) else { return nil }
        let type = PushType(rawValue: text)
        guard !type.isKnown, !allowsNewPushTypes || !PushType.isPossiblyNew(text) else { return type }
        let known = PushType.known.map(\.rawValue)
        let meant = PushType.meant(by: text).map { "did you mean \($0)?" }
        let advice = meant ?? "expected one of \(known.joined(separator: ", "))"
        reader.report("\(node.shown) is not a push type; \(advice)", at: node, key)
        return nil
    }

    private func topic(_ node: YAMLNode, _ key: String, _ reader: inout YAMLReader) -> Topic? {
        guard let text = reader.string(node, key) else { return nil }
        guard let topic = Topic(text) else {
            reader.report(
                "\(node.shown) is not a topic; expected a bundle id, such as com.example.app, or one with a suffix",
                at: node, key)
            return nil
        }
        return topic
    }
}
