import APNSModel
package import ConfigurationText
import PushDispatch
import ServiceHost

/// The services' configuration, read from a YAML document and the files of entries that it names (docs/optimization.md).
///
/// An invalid entry is reported with its place and the rest is still read, so that one run reports all mistakes.
package struct OptimizationDocument: Sendable {
    package private(set) var configuration: OptimizationConfiguration
    package private(set) var errors: [ConfigurationError] = []
    /// What is odd and does not keep the services from running.
    package private(set) var notes: [String] = []

    /// - Parameters:
    ///   - name: The name of the document in messages.
    ///   - folder: What paths are relative to, with a slash at the end; empty for the current folder.
    ///   - seed: For a document without the key `seed`.
    ///   - readFile: The content of a file; what it throws is shown.
    package init(
        _ bytes: [UInt8], name: String, folder: String = "", seed: UInt64 = 1,
        readFile: (_ path: String) throws -> [UInt8]
    ) {
        configuration = OptimizationConfiguration(seed: seed)
        let root: YAMLNode?
        do throws(ConfigurationError) {
            root = try YAMLText.read(bytes, name: name)
        } catch {
            root = nil
            errors.append(error)
        }
        guard let root, !root.isNothing else { return }
        var reader = OptimizationDocumentReader(reader: YAMLReader(file: name), folder: folder, seed: seed)
        reader.read(root, readFile)
        configuration = reader.configuration
        errors += reader.reader.errors.sorted { ($0.line ?? 0, $0.column ?? 0) < ($1.line ?? 0, $1.column ?? 0) }
        errors += reader.fileErrors
        notes = configuration.refusedExperiences.map {
            "the experience entry \(ShownText.quoted($0.entry)) is not taken: \($0.why)"
        }
    }
}
