import ArgumentParser
import GatewayJSON
import PayloadJSON

/// `apns world`: the worlds of a running gateway.
struct WorldCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "world",
        abstract: "Lists, makes, exports, imports and removes the worlds of a gateway.",
        discussion: """
            A world is one separate simulation inside a gateway: its keys, apps, devices, faults, clock and journal. As a file \
            it is one JSON object with the keys that a configuration file has for a world, and state, which has what \
            happened in it (docs/control-api.md). make and import also take YAML, as an entry of worlds in a configuration file.

            EXAMPLES
              apns world export >before.json           # the default world
              apns world make orders --from before.json
              apns world export orders --no-state      # without what happened in it
              apns world import before.json            # in place of the default world
              apns world remove --idle 1h

            EXIT STATUS: 0 done; 1 the gateway refused, such as for a world that does not exist; 2 no gateway answers, or a \
            file cannot be read; 64 bad arguments.

            \(WorldOptions.environmentHelp)
            """,
        subcommands: [
            WorldListCommand.self, WorldMakeCommand.self, WorldExportCommand.self, WorldImportCommand.self,
            WorldRemoveCommand.self,
        ])
}

struct WorldListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the worlds by name.",
        discussion: """
            EXAMPLES
              apns world list
              apns world list --control local:8443 --json

            EXIT STATUS: as for apns world.

            \(WorldOptions.environmentHelp)
            """)

    @OptionGroup var options: WorldOptions
    @Flag(help: "Print one JSON object for each world.") var json = false

    func run() async throws {
        let control = try options.control()
        var cursor: String?
        repeat {
            let page = try WorldList(try await control.call("GET", "/api/worlds", query: [("cursor", cursor)]))
            for world in page.worlds { Output.standard.result(json ? world.json : world.text) }
            cursor = page.next
        } while cursor != nil
    }
}

struct WorldMakeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "make", abstract: "Makes a world, perhaps of a file or of another world.",
        discussion: """
            EXAMPLES
              apns world make orders
              apns world make copy --from orders --with-token --port 0
              apns world make mail --from mail.yaml

            EXIT STATUS: as for apns world.

            \(WorldOptions.environmentHelp)
            """)

    @Argument(help: "The name of the new world.") var name: String
    @Option(
        help: ArgumentHelp(
            "A file of apns world export, or YAML (- is standard input), or the name of a world of the gateway to copy. "
                + "What has a dot or a slash is a file.",
            valueName: "file|world"))
    var from: String?
    @Option(help: "A separate port for its senders; 0 takes a free one.", transform: ArgumentReading.port)
    var port: Int?
    @Flag(help: "Give the world a token of its own, which the answer has.") var withToken = false
    @OptionGroup var options: WorldOptions

    func run() async throws {
        let control = try options.control()
        let input = try from.flatMap { try WorldMakeCommand.isFile($0) ? WorldOptions.file($0) : nil }
        let answer = try await control.call("POST", "/api/worlds", body: body(input), of: input)
        Output.standard.result(answer)
    }

    private static func isFile(_ from: String) -> Bool { from == "-" || from.contains(".") || from.contains("/") }

    private func body(_ input: WorldInput?) -> [UInt8] {
        WorldOptions.object { object in
            object.add("name", name)
            if let input {
                object.add("from", json: input.json)
            } else if let from {
                object.add("from", from)
            }
            if let port { object.add("port", port) }
            if withToken { object.add("token", true) }
        }
    }
}

struct WorldExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Prints a world as a file.",
        discussion: """
            EXAMPLES
              apns world export >before.json
              apns world export orders --no-state

            EXIT STATUS: as for apns world.

            \(WorldOptions.environmentHelp)
            """)

    @Argument(help: "The name of the world (default: default).") var name: String?
    @Flag(
        inversion: .prefixedNo,
        help: "Include what happened: deliveries, channels, journal. Without it the devices are listed.")
    var state = true
    @OptionGroup var options: WorldOptions

    func run() async throws {
        let control = try options.control(of: name)
        var count = 0
        try await control.download("/api/export", query: [("state", "\(state)")]) { piece in
            count += piece.count
            Output.standard.write(piece)
        }
        Output.standard.write("\n")
        guard count > WorldDocument.maximumBytes else { return }
        Output.standard.note(
            "The file has \(count) bytes, and a gateway imports at most \(WorldDocument.maximumBytes) (64 MiB). Export the world "
                + "with --no-state, or when its journal is empty (DELETE /api/notifications).")
    }
}

struct WorldImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Puts a world from a file in the place of an existing one.",
        discussion: """
            EXAMPLES
              apns world import before.json
              apns world import before.json orders

            EXIT STATUS: as for apns world.

            \(WorldOptions.environmentHelp)
            """)

    @Argument(help: "The file, JSON or YAML; - is standard input.") var file: String
    @Argument(help: "The name of the world; it is made if there is none (default: default).") var name: String?
    @OptionGroup var options: WorldOptions

    func run() async throws {
        let control = try options.control(of: name)
        let input = try WorldOptions.file(file)
        Output.standard.result(try await control.call("POST", "/api/import", body: input.json, of: input))
    }
}

struct WorldRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes a world, or all that nobody has used for a time.",
        discussion: """
            EXAMPLES
              apns world remove orders
              apns world remove --idle 1h

            EXIT STATUS: as for apns world.

            \(WorldOptions.environmentHelp)
            """)

    @Argument(help: "The name of the world.") var name: String?
    @Option(
        help: ArgumentHelp(
            "Remove the worlds that nobody has used for this long, such as 1h; not the default one and those of the "
                + "configuration.", valueName: "duration"))
    var idle: String?
    @OptionGroup var options: WorldOptions

    func validate() throws {
        guard (name == nil) != (idle == nil) else { throw ValidationError("it takes the name of a world, or --idle") }
    }

    func run() async throws {
        let control = try options.control()
        if let name {
            _ = try await control.call("DELETE", "/api/worlds/\(try WorldOptions.name(name))")
            Output.standard.note("The world \(name) is removed.")
        } else {
            Output.standard.result(try await control.call("DELETE", "/api/worlds", query: [("idle", idle)]))
        }
    }
}
