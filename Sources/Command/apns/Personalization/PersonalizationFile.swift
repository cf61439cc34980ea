import ConfigurationText
import PersonalizationSimulator

/// The configuration in the file of `apns personalization --config`, or the standard one.
enum PersonalizationFile {
    static func read(_ path: String?, seed: UInt64) throws(CommandError) -> ServiceConfiguration {
        guard let path else { return ServiceConfiguration.standard(seed: seed) }
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try InputFile.bytes(of: path, limit: YAMLText.maximumBytes)
        } catch {
            throw CommandError(error.description)
        }
        let document = PersonalizationDocument(bytes, name: path, seed: seed)
        guard document.errors.isEmpty else {
            let errors = document.errors.map { PlainText.safe($0.description) }.joined(separator: "\n")
            throw CommandError("\(path) cannot be used, so nothing was started:\n\(errors)")
        }
        return document.configuration
    }
}
