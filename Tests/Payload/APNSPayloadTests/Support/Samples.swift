import APNSModel
import APNSPayload
import Foundation
import RepositoryFiles

/// The sample payloads of the repository, as notifications.
enum Samples {
    static let root = Repository.url("payloads")

    /// The samples of one folder, sorted by file name.
    static func notifications(in folder: String) throws -> [SourcedEnvelope] {
        var reader = EnvelopeReader()
        let url = root.appendingPathComponent(folder)
        return try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
            .flatMap { file in
                reader.readAll(SourceText(name: file.lastPathComponent, bytes: Array(try Data(contentsOf: file))))
            }
            .map(withPushTypeOfName)
    }

    /// All samples.
    static func all() throws -> [SourcedEnvelope] {
        let failing = try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent("fail").path)
        return try (["pass"] + failing.sorted().map { "fail/\($0)" }).flatMap(notifications)
    }

    /// The name of a file without headers begins with its push type, as in `alert-short.json`.
    private static func withPushTypeOfName(_ sourced: SourcedEnvelope) -> SourcedEnvelope {
        guard !sourced.envelope.hasKnownHeaders, let word = sourced.source.name.split(separator: "-").first,
            PushType(rawValue: String(word)).isKnown
        else { return sourced }
        var sourced = sourced
        sourced.envelope.pushType = String(word)
        return sourced
    }
}
