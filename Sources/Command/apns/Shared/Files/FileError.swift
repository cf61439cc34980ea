import SystemFiles

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A file that cannot be read or written, and why.
struct FileError: Error, Hashable, CustomStringConvertible {
    enum Attempt: String, Hashable {
        case read, written
    }

    var name: String
    var attempt: Attempt
    /// What is wrong, and what to do where that is known.
    var detail: String
    /// Whether there is no such file, or none that a link leads to.
    private(set) var isAbsent = false
    /// The whole message, where it is not made of the other values.
    private var message: String?

    init(_ name: String, _ attempt: Attempt = .read, errno code: Int32) {
        self.init(name, attempt, detail: FileError.detail(code, name, attempt))
        isAbsent = code == ENOENT
    }

    init(_ name: String, _ attempt: Attempt = .read, detail: String) {
        self.name = name
        self.attempt = attempt
        self.detail = detail
    }

    /// A file of lines that cannot be written. The failure names the file.
    init(_ name: String, _ failure: LineFile.Failure) {
        self.init(name, .written, detail: failure.description)
        message = failure.description
    }

    var description: String { message ?? "\(name.isEmpty ? "\"\"" : name) cannot be \(attempt.rawValue): \(detail)" }

    private static func detail(_ code: Int32, _ name: String, _ attempt: Attempt) -> String {
        let text = System.text(ofError: code)
        switch (code, attempt) {
        case (ENOENT, .read) where name.hasPrefix("/"): return "\(text); check the path"
        case (ENOENT, .read): return "\(text); check the path, which is relative to \(System.currentFolder)"
        case (ENOENT, .written): return "\(text); make its folder first"
        case (EACCES, _): return "\(text); check its permissions and those of its folder"
        case (EISDIR, _): return "\(text); name a file"
        default: return text
        }
    }
}
