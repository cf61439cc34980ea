import SystemFiles

/// The run file of a gateway that runs in this process, from which the other commands find it in any folder.
struct GatewayRunFile {
    private let file: LifetimeFile

    /// The largest run file that is read, in bytes. Paths are the only long values in it.
    static let maximumBytes = 64 * 1024
    private static let ending = ".json"
    private static let prefix = "gateway-"

    /// Writes it into the first folder that can be used, and removes the run files that killed gateways have left there.
    ///
    /// - Parameter unique: Distinguishes processes with the same id, as in containers that share a folder.
    /// - Throws: Why no folder can be used.
    init(
        _ run: GatewayRun, folders: [String], unique: String = String(UInt32.random(in: 0...(.max)), radix: 16)
    ) throws(CommandError) {
        var problems: [String] = []
        for folder in folders {
            do throws(PrivateFolder.Failure) {
                try PrivateFolder.makeOwn(folder)
                _ = GatewayRunFile.running(in: [folder])
                file = try LifetimeFile(
                    path: "\(folder)/\(GatewayRunFile.prefix)\(run.processID)-\(unique)\(GatewayRunFile.ending)",
                    content: run.json)
                return
            } catch {
                problems.append("\(folder): \(error)")
            }
        }
        throw CommandError(
            problems.isEmpty ? "neither XDG_RUNTIME_DIR nor HOME is set" : problems.joined(separator: "; "))
    }

    var path: String { file.path }

    func remove() { file.remove() }

    /// The run files of a machine.
    struct Found: Hashable, Sendable {
        /// The newest one first.
        var running: [GatewayRun] = []
        /// Gateways that did not end in order.
        var left: [GatewayRun] = []
    }

    /// - Parameter removesLeft: Whether to remove the files of gateways that did not end in order.
    static func running(in folders: [String], removesLeft: Bool = true) -> Found {
        var found = Found()
        for folder in folders {
            for name in PrivateFolder.names(in: folder) where name.hasPrefix(prefix) && name.hasSuffix(ending) {
                let path = "\(folder)/\(name)"
                switch LifetimeFile.state(of: path, maximum: maximumBytes) {
                case .held(let bytes): GatewayRun(json: bytes).map { found.running.append($0) }
                case .left(let bytes):
                    GatewayRun(json: bytes).map { found.left.append($0) }
                    if removesLeft { PrivateFolder.remove(file: path) }
                case .unusable: break
                }
            }
        }
        found.running.sort { ($0.started, $0.processID) > ($1.started, $1.processID) }
        return found
    }
}
