import Foundation

/// A folder for one test, removed with what is in it.
final class TemporaryPlace {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "system-files-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
    }

    func text(of name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: file(name))), as: UTF8.self)
    }

    /// The permission bits of a file, such as 0o600.
    func mode(of name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: file(name))[.posixPermissions].flatMap {
            ($0 as? NSNumber)?.intValue
        }
    }
}
