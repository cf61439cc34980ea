package import ConfigurationText

/// The service's configuration, read from a YAML document (docs/personalization.md).
///
/// An invalid entry is reported with its place and the rest is still read, so that one run reports all mistakes.
package struct PersonalizationDocument: Sendable {
    package private(set) var configuration: ServiceConfiguration
    package private(set) var errors: [ConfigurationError] = []

    /// - Parameters:
    ///   - name: The name of the document in messages.
    ///   - seed: For a document without the key `seed`.
    package init(_ bytes: [UInt8], name: String, seed: UInt64 = 1) {
        configuration = ServiceConfiguration(seed: seed)
        let root: YAMLNode?
        do throws(ConfigurationError) {
            root = try YAMLText.read(bytes, name: name)
        } catch {
            root = nil
            errors.append(error)
        }
        guard let root, !root.isNothing else { return }
        var reader = PersonalizationDocumentReader(reader: YAMLReader(file: name), seed: seed)
        reader.read(root)
        configuration = reader.configuration
        errors += reader.reader.errors.sorted { ($0.line ?? 0, $0.column ?? 0) < ($1.line ?? 0, $1.column ?? 0) }
    }
}
