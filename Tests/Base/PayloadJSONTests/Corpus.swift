import Foundation
import RepositoryFiles

/// The texts of the JSON parsing corpus, which lies beside the repository and is not part of it.
enum Corpus {
    /// `JSON_PARSING_CORPUS`, or `../shared/data/json-parsing` from the root of the repository.
    static let folder: URL = {
        if let path = ProcessInfo.processInfo.environment["JSON_PARSING_CORPUS"] { return URL(fileURLWithPath: path) }
        return Repository.url("../shared/data/json-parsing")
    }()

    static let isAbsent = !FileManager.default.fileExists(atPath: folder.path)

    /// Names and contents of the files whose names begin with `prefix`, in the order of their names.
    static func texts(_ prefix: String) throws -> [(name: String, bytes: [UInt8])] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.lastPathComponent.hasPrefix(prefix) }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
            .map { ($0.lastPathComponent, Array(try Data(contentsOf: $0))) }
    }
}
