import PushDispatch

/// A command with the names of its options and subcommands, as ArgumentParser describes it.
struct CommandOutline: Hashable, Sendable {
    struct Option: Hashable, Sendable {
        enum Values: Hashable, Sendable {
            case none, one
            /// One, whatever it begins with.
            case any
            /// As many as follow up to the next option.
            case many
        }

        /// With their hyphens.
        var names: [String]
        var values: Values
    }

    var name: String
    var options: [Option] = []
    var subcommands: [CommandOutline] = []
    var defaultSubcommand: String?
    var takesArguments = false

    /// All names of all options.
    var optionNames: [String] { options.flatMap(\.names) }

    func option(_ name: String) -> Option? { options.first { $0.names.contains(name) } }

    func subcommand(_ name: String) -> CommandOutline? { subcommands.first { $0.name == name } }
}

extension CommandOutline {
    /// - Parameter dump: What `--experimental-dump-help` prints.
    /// - Returns: Nil for a description in another form.
    init?(dump: [UInt8]) {
        let limits = JSONLimits(maximumBytes: 8 << 20, maximumDepth: 64, maximumValues: 1_000_000)
        guard let command = try? JSONReader.read(dump, limits: limits).object?["command"] else { return nil }
        self.init(command)
    }

    private init?(_ command: JSONValue) {
        guard let members = command.object, let name = members["commandName"]?.string else { return nil }
        let arguments = members["arguments"]?.array?.compactMap(\.object) ?? []
        self.init(
            name: name, options: arguments.compactMap { Option($0) },
            subcommands: (members["subcommands"]?.array ?? []).compactMap { CommandOutline($0) },
            defaultSubcommand: members["defaultSubcommand"]?.string,
            takesArguments: arguments.contains { $0["kind"]?.string == "positional" })
    }
}

extension CommandOutline.Option {
    /// - Returns: Nil for an argument without a name.
    fileprivate init?(_ argument: [String: JSONValue]) {
        guard let kind = argument["kind"]?.string, kind != "positional" else { return nil }
        names = (argument["names"]?.array?.compactMap(\.object) ?? []).compactMap { name in
            name["name"]?.string.map { (name["kind"]?.string == "long" ? "--" : "-") + $0 }
        }
        switch (kind, argument["parsingStrategy"]?.string) {
        case ("flag", _): values = .none
        case (_, "upToNextOption"): values = .many
        case (_, "unconditional"): values = .any
        default: values = .one
        }
    }
}
