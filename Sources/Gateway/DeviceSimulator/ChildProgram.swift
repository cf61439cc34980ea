#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A program that runs once.
struct ChildProgram: Hashable, Sendable {
    /// How it gets what it is to read.
    enum Input: Hashable, Sendable {
        case standardInput([UInt8])
        /// In a file for this user alone, whose path is the last argument. It is gone when the program has ended.
        case file([UInt8], suffix: String)
    }

    /// Where what it prints goes.
    enum Output: Hashable, Sendable {
        /// Its output to ours, its errors to our errors.
        case passedOn
        /// Both to our errors, because our output is kept for something else.
        case toErrors
        /// Both are kept, as far as `ProgramRun.maximumKeptBytes`.
        case kept
    }

    /// The file with its path.
    var file: String
    var arguments: [String]
    /// All variables, not only those that differ from ours.
    var environment: [String: String]
    var input: Input
    var output: Output

    enum End: Hashable, Sendable {
        case exited(Int32)
        case signalled(Int32)
        /// It ran longer than it may, and was killed.
        case overTime
        /// It was killed because nobody wants to wait for it any more.
        case killed
    }

    /// Why a program cannot be started.
    struct StartError: Error, Hashable {
        var words: String

        init(_ what: String, code: Int32) { words = "\(what): \(String(cString: strerror(code)))" }
    }

    /// The first file of this name on the PATH that may be run.
    static func find(_ name: String, path: String) -> String? {
        for folder in path.split(separator: ":", omittingEmptySubsequences: false) {
            let file = (folder.isEmpty ? "." : folder) + "/" + name
            var facts = stat()
            if stat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, access(file, X_OK) == 0 { return file }
        }
        return nil
    }
}
