import APNSModel
import ConfigurationText
import GatewayConfiguration

/// The configuration file of `apns gateway --config`, read from disk.
struct GatewayConfigurationFile {
    private let file: GatewayFile
    private let path: String

    /// More than any configuration needs.
    static let maximumBytes = 1 << 20

    /// - Parameter environment: The environment that an option gives; it replaces that of the file.
    init(path: String, environment: APNSEnvironment?) throws(CommandError) {
        let bytes = try CommandError.rethrowing { () throws(FileError) in
            try InputFile.bytes(of: path, limit: GatewayConfigurationFile.maximumBytes)
        }
        self.path = path
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        file = GatewayFile(bytes, name: path, folder: folder, environment: environment) { path in
            // The longest of the files that it can name.
            try InputFile.bytes(of: path, limit: AnswersFile.maximumBytes)
        }
    }

    /// What its owner should change.
    var warnings: [String] {
        [file.hasControlToken ? path : nil, file.controlTokenFile].compactMap(\.self).compactMap {
            ControlTokenWarning.text(for: $0)
        }
    }

    /// Reports every problem of the file at once, each with its place.
    func check() throws(CommandError) {
        guard file.errors.isEmpty else {
            let errors = file.errors.map(\.description).joined(separator: "\n")
            throw CommandError("\(path) cannot be used, so nothing was started:\n\(errors)")
        }
    }

    var configuration: GatewayConfiguration { file.configuration }
    var isVerbose: Bool { file.isVerbose ?? false }
    var printsJSON: Bool { file.printsJSON ?? false }

    /// A problem of the whole configuration, with its place in the file where the value comes from the file.
    ///
    /// - Parameter given: The settings that options were given for.
    func commandError(_ error: GatewayError, given: [GatewaySetting]) -> CommandError {
        let isFromOption = error.setting.map { $0.precedence == .optionReplaces && given.contains($0) } ?? false
        guard !isFromOption, let placed = error.placed(in: file) else { return CommandError(error.detail) }
        return CommandError(placed.description)
    }
}
