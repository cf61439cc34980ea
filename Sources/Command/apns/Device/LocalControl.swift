/// The control API of a gateway on this machine.
struct LocalControl: Hashable, Sendable {
    var url: String
    /// The topic of its development credentials; nil where it is not known.
    var topic: String?

    /// Finds it by the run files of this machine, and shows notes about the choice.
    ///
    /// - Parameter control: The value of --control: nil and `local` are the newest gateway, a URL is taken as it is.
    static func find(_ control: String?) throws(CommandError) -> LocalControl {
        let control = control ?? "local"
        guard let name = try LocalGatewayName(control) else { return LocalControl(url: control) }
        let folders = RunFolders.all
        let found = GatewayRunFile.running(in: folders)
        for note in LocalGateway.notes(name, found) { Output.standard.note(note) }
        return try choose(name, of: found.running, folders)
    }

    /// - Parameter running: The newest one first.
    static func choose(
        _ name: LocalGatewayName, of running: [GatewayRun], _ folders: [String]
    ) throws(CommandError) -> LocalControl {
        if let run = try LocalGateway.choose(name, of: running) {
            return LocalControl(url: run.control, topic: run.topic)
        }
        guard case .port(let port) = name else { return LocalControl(url: DeviceCommand.defaultControl) }
        // The port of the control API cannot be told from the one for senders.
        throw CommandError(
            "no gateway of yours runs on port \(port) (run files are looked for in "
                + "\(folders.joined(separator: " and "))); give the URL of its control API")
    }
}
