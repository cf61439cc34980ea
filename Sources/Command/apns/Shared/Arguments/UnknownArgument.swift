import APNSModel

/// The first option or subcommand of a command line that does not exist, or a value that looks like one.
///
/// ArgumentParser reports it only when nothing else is wrong: a missing value or a conflict that follows from a misspelt
/// option comes first. So after any error the command line is read again for names alone.
struct UnknownArgument: Hashable, Sendable {
    /// The names of the command and its subcommands that it stands behind.
    var command: [String]
    var kind: Kind
    /// The name that was probably meant.
    var suggestion: String?

    enum Kind: Hashable, Sendable {
        case option(String)
        case subcommand(String)
        /// A word that begins with a hyphen, behind an option that needs a value.
        case value(String, of: String)
    }

    /// - Parameter arguments: Without the name of the command.
    /// - Returns: Nil where every option and subcommand exists.
    init?(in arguments: some Sequence<String>, of root: CommandOutline) {
        var node = root
        var path = [root.name]
        var rest = Array(arguments)[...]
        var isHelp = false
        while let word = rest.popFirst() {
            if word == "--" { return nil }
            if UnknownArgument.isOption(word) {
                let name = String(word.prefix { $0 != "=" })
                let other = node.defaultSubcommand.flatMap { node.subcommand($0) }
                let known = node.optionNames + (other?.optionNames ?? [])
                if let option = node.option(name) ?? other?.option(name) {
                    guard name == word else { continue }
                    if option.values == .one, let value = rest.first,
                        UnknownArgument.isMeantAsValue(value, known, root)
                    {
                        self.init(command: path, kind: .value(value, of: name), suggestion: nil)
                        return
                    }
                    UnknownArgument.skipValues(of: option, &rest)
                } else if UnknownArgument.builtIn.contains(name) {
                    // It has another purpose than to run the command.
                    return nil
                } else {
                    // The option of a subcommand may stand before it.
                    let below = node.subcommands.flatMap(\.optionNames)
                    let meant =
                        UnknownArgument.meant(by: name, known)
                        ?? (below.contains(name) ? nil : UnknownArgument.meant(by: name, below))
                    self.init(command: path, kind: .option(name), suggestion: meant)
                    return
                }
            } else if path.count == 1, word == "help", !isHelp {
                isHelp = true
            } else if let next = node.subcommand(word) {
                node = next
                path.append(word)
            } else if let name = node.defaultSubcommand, let next = node.subcommand(name), next.takesArguments, !isHelp
            {
                node = next
                path.append(name)
            } else if !node.subcommands.isEmpty {
                let meant = Suggestion.best(for: word, among: node.subcommands.map(\.name))
                self.init(command: path, kind: .subcommand(word), suggestion: meant)
                return
            }
        }
        return nil
    }

    private init(command: [String], kind: Kind, suggestion: String?) {
        (self.command, self.kind, self.suggestion) = (command, kind, suggestion)
    }

    /// What ArgumentParser adds to each command.
    private static let builtIn: Set<String> = [
        "-h", "--help", "--help-hidden", "--version", "--experimental-dump-help", "--generate-completion-script",
    ]

    private static func skipValues(of option: CommandOutline.Option, _ rest: inout ArraySlice<String>) {
        switch option.values {
        case .none: break
        case .any: _ = rest.popFirst()
        case .one: if let value = rest.first, !isOption(value) { rest.removeFirst() }
        case .many: while let value = rest.first, !isOption(value) { rest.removeFirst() }
        }
    }

    /// The option of a command that was probably meant.
    private static func meant(by name: String, _ known: [String]) -> String? {
        Suggestion.best(for: name.hasPrefix("--") ? name : "-\(name)", among: known)
    }

    /// Whether a word behind an option looks like an option, and is none: no command has it, and it is not a misspelt one.
    private static func isMeantAsValue(_ word: String, _ known: [String], _ root: CommandOutline) -> Bool {
        // The reader of arguments takes a negative number for an option.
        if word.hasPrefix("-"), Double(word) != nil { return true }
        let name = String(word.prefix { $0 != "=" })
        return isOption(word) && word != "--" && !builtIn.contains(name) && owners(of: name, root).isEmpty
            && (!word.hasPrefix("--") || meant(by: name, known) == nil)
    }

    /// A number and a sentence that begin with a hyphen are values.
    private static func isOption(_ word: String) -> Bool {
        let name = word.utf8.prefix { $0 != UInt8(ascii: "=") }
        return name.first == UInt8(ascii: "-") && name.count > 1 && Double(word) == nil
            && name.allSatisfy { UnknownArgument.isInNames($0) }
    }

    private static func isInNames(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    /// The sentence for stderr, with the subcommands that have an option of this name.
    func message(_ root: CommandOutline) -> String {
        let path = command.joined(separator: " ")
        let meant = suggestion.map { " Did you mean \($0)?" } ?? ""
        switch kind {
        case .value(let word, let option):
            return
                "\(path): \(option) needs a value; one that begins with a hyphen is written as "
                + "\(option)=\(PlainText.safe(ShownText.cut(word, to: 60)))"
        case .option(let name):
            let owners = suggestion == nil ? UnknownArgument.owners(of: name, root, near: command) : []
            let place = owners.isEmpty ? "" : " It is an option of \(owners.joined(separator: ", "))."
            return
                "\(path) has no option \(PlainText.safe(ShownText.cut(name, to: 60))).\(meant)\(place)\n  See '\(path) --help' for all "
                + "options."
        case .subcommand(let name):
            return
                "\(path) has no subcommand \(PlainText.safe(ShownText.cut(name, to: 60))).\(meant)\n  See '\(path) --help' for all "
                + "subcommands."
        }
    }

    /// Three commands with an option of this name, first those of the same group as `command`.
    private static func owners(of option: String, _ root: CommandOutline, near command: [String] = []) -> [String] {
        var found: [String] = []
        func visit(_ node: CommandOutline, _ path: String) {
            if node.option(option) != nil { found.append(path) }
            for subcommand in node.subcommands { visit(subcommand, "\(path) \(subcommand.name)") }
        }
        visit(root, root.name)
        let group = command.dropLast().joined(separator: " ") + " "
        let near = command.count > 2 ? found.filter { $0.hasPrefix(group) } : []
        return Array((near + found.filter { !near.contains($0) }).prefix(3))
    }
}
