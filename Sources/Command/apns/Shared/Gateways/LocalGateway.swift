import APNSProvider

/// What `--gateway local` stands for: the address of a gateway on this machine and its development credentials.
struct LocalGateway: Hashable, Sendable {
    var gateway: APNSGateway
    var credentials: LocalCredentials
    /// What the user should know about the choice; a sentence each.
    var notes: [String] = []

    /// Where a gateway without a run file is looked for.
    static let defaultPort = 8443

    /// Finds the gateway by its run file or else, on its default port, by the development credentials in `certs/dev`.
    ///
    /// - Parameters:
    ///   - folders: Where run files are.
    ///   - currentFolder: An absolute path; `certs/dev` is searched in it and above it, as `LocalCredentials.find` does.
    static func find(
        _ name: LocalGatewayName, found: GatewayRunFile.Found, folders: [String], currentFolder: String
    ) throws(CommandError) -> LocalGateway {
        let notes = LocalGateway.notes(name, found)
        if let run = try LocalGateway.choose(name, of: found.running) {
            return LocalGateway(gateway: run.gateway, credentials: LocalCredentials(run), notes: notes)
        }
        let port = if case .port(let port) = name { port } else { defaultPort }
        guard let credentials = try LocalCredentials.find(from: currentFolder) else {
            let searched = folders.isEmpty ? "XDG_RUNTIME_DIR and HOME are not set" : folders.joined(separator: " and ")
            throw CommandError(
                "no gateway of yours runs on this machine (run files are looked for in \(searched)), and there is no "
                    + "\(LocalCredentials.folderName)/credentials.json in \(currentFolder) or above it, up to the first folder to which every user may "
                    + "write, for one on port \(port); start one: \(ShellText.command) gateway")
        }
        return LocalGateway(
            gateway: APNSGateway(host: "127.0.0.1", port: port), credentials: credentials, notes: notes)
    }

    /// Finds it on this machine and shows the notes.
    static func find(_ name: LocalGatewayName) throws(CommandError) -> LocalGateway {
        let folders = RunFolders.all
        let local = try find(
            name, found: GatewayRunFile.running(in: folders), folders: folders, currentFolder: System.currentFolder)
        for note in local.notes { Output.standard.note(note) }
        return local
    }

    /// - Parameter running: The newest one first.
    /// - Returns: Nil where no gateway runs.
    static func choose(_ name: LocalGatewayName, of running: [GatewayRun]) throws(CommandError) -> GatewayRun? {
        guard case .port(let port) = name, !running.isEmpty else { return running.first }
        if let run = running.first(where: { $0.gateway.port == port }) { return run }
        let names = running.prefix(5).map(\.name).joined(separator: ", ")
        throw CommandError("no gateway of yours runs on port \(port); these run: \(names)")
    }

    /// What the user should know about the choice.
    static func notes(_ name: LocalGatewayName, _ found: GatewayRunFile.Found) -> [String] {
        var notes = found.left.prefix(5).map {
            "the gateway \($0.name) did not end in order; its run file is ignored and was removed"
        }
        if name == .newest, found.running.count > 1, let run = found.running.first {
            let others = found.running.dropFirst().prefix(5).map { "local:\($0.gateway.port)" }
            notes.append(
                "\(found.running.count) gateways run on this machine; this uses the newest, \(run.name). To choose "
                    + "another one: \(others.joined(separator: ", "))")
        }
        return notes
    }
}

extension LocalCredentials {
    init(_ run: GatewayRun) {
        self.init(
            caPath: run.caPath, keyPath: run.keyPath, keyID: run.keyID, teamID: run.teamID, topic: run.topic)
    }
}
