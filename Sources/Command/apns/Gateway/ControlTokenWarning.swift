import Foundation

/// The warning about a file with a control token that is not private.
enum ControlTokenWarning {
    /// Nil where the file is not readable by every user of this machine.
    static func text(for path: String) -> String? {
        // Secrets of Kubernetes are links.
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: file)
        guard let mode = attributes?[.posixPermissions] as? Int, mode & 0o004 != 0 else { return nil }
        return "\(path) holds a control token, and every user of this machine can read it; chmod 600 keeps it private"
    }
}
