import ConfigurationText
import OptimizationSimulator

/// The configuration in the file of `apns optimization --config` with its entries, or the standard one.
enum OptimizationFile {
    static func read(_ path: String?, seed: UInt64) throws(CommandError) -> OptimizationConfiguration {
        guard let path else { return OptimizationConfiguration.standard(seed: seed) }
        let bytes = try CommandError.rethrowing { () throws(FileError) in
            try InputFile.bytes(of: path, limit: YAMLText.maximumBytes)
        }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let document = OptimizationDocument(bytes, name: path, folder: folder, seed: seed) { path in
            try InputFile.bytes(of: path, limit: OptimizationLimits.file)
        }
        guard document.errors.isEmpty else {
            let errors = document.errors.map { PlainText.safe($0.description) }.joined(separator: "\n")
            throw CommandError("\(path) cannot be used, so nothing was started:\n\(errors)")
        }
        for note in document.notes {
            Output.standard.note("\(PlainText.safe(note)); apns optimization check says more about its file")
        }
        return document.configuration
    }

    /// The experiences of a file of entries.
    static func experiences(_ path: String) throws(CommandError) -> [Experience] {
        let bytes = try CommandError.rethrowing { () throws(FileError) in
            try InputFile.bytes(of: path, limit: OptimizationLimits.file)
        }
        var content = ContentStore()
        do throws(ContentFile.Fault) {
            for entry in try ContentFile(bytes).entries { content.add(entry) }
        } catch {
            throw CommandError("\(path):\(error.line):\(error.column): \(PlainText.safe(error.description))")
        }
        var configuration = OptimizationConfiguration()
        configuration.setContent(content)
        for refused in configuration.refusedExperiences {
            Output.standard.note(
                "\(path): the entry \(PlainText.safe(refused.entry)) is left out: \(PlainText.safe(refused.why))")
        }
        guard !configuration.experiences.isEmpty else {
            throw CommandError(
                "\(path) has no complete entry of the content type nt_experience; apns optimization check \(path) says more"
            )
        }
        return configuration.experiences
    }
}
