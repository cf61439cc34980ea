#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A program that runs once.
struct ChildProgram: Hashable, Sendable {
    /// How it gets its input.
    enum Input: Hashable, Sendable {
        case standardInput([UInt8])
        /// In a file that only this user can read. Its path is the last argument. The file is removed when the program ends.
        case file([UInt8], suffix: String)
    }

    /// Where its output goes.
    enum Output: Hashable, Sendable {
        /// Its standard output and error go to ours.
        case passedOn
        /// Both go to our standard error, because our standard output has another use.
        case toErrors
        /// The last `ProgramRun.maximumKeptBytes` of both are kept.
        case kept
    }

    /// The file with its path.
    var file: String
    var arguments: [String]
    /// All its variables.
    var environment: [String: String]
    var input: Input
    var output: Output

    enum End: Hashable, Sendable {
        case exited(Int32)
        case signalled(Int32)
        /// It ran longer than its time limit and was killed.
        case overTime
        /// It was killed because the device is to stop at once.
        case killed
    }

    /// Why a program cannot be started.
    struct StartError: Error, Hashable {
        var message: String

        init(_ what: String, code: Int32) { message = "\(what): \(String(cString: strerror(code)))" }
    }

    /// The first executable file of this name on the PATH.
    static func find(_ name: String, path: String) -> String? {
        for folder in path.split(separator: ":", omittingEmptySubsequences: false) {
            let file = (folder.isEmpty ? "." : folder) + "/" + name
            var facts = stat()
            if stat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, access(file, X_OK) == 0 { return file }
        }
        return nil
    }
}
