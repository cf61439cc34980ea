#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif
import PayloadLint

/// `apns validate --watch`: checks everything, then changed files, until it is stopped.
///
/// It compares the modification times of the files a few times a second, because that works on every system and every
/// kind of file system.
struct ValidateWatch {
    private let paths: [String]
    private let request: ValidateRequest
    private let stop: StopSignal
    /// Configurations and the baseline: when one changes, everything is checked again.
    private var shared: FileStamps = FileStamps()
    private var payloads: FileStamps = FileStamps()
    /// How many findings of `--fail-on` or worse each file has now.
    private var failing: [String: Int] = [:]
    /// Whether something failed since everything was last checked.
    private var hasFailed = false

    private static let interval: Int32 = 250

    init(_ paths: [String], _ request: ValidateRequest, stop: StopSignal) {
        self.paths = paths.isEmpty ? ["payloads"] : paths
        self.request = request
        self.stop = stop
    }

    /// - Returns: The exit status for the last state of the files.
    mutating func run() throws -> ExitStatus {
        // Before they are read, so that what changes meanwhile is read again.
        payloads = stamps(of: files())
        var watched = Set(sharedFiles(try round(paths, isAll: true)))
        shared = stamps(of: watched)
        Output.standard.note(waiting)
        while !stop.isStopped {
            wait()
            let newPayloads = stamps(of: files())
            let newShared = stamps(of: watched)
            let changed = newPayloads.changes(since: payloads)
            guard !changed.isEmpty || newShared != shared else { continue }
            let isAll = newShared != shared
            (payloads, shared) = (newPayloads, newShared)
            for path in changed { failing[path] = nil }
            let present = Set(changed.map { payloadPath(of: $0) }).filter { newPayloads[$0] != nil }
            if isAll || !present.isEmpty {
                let read = Set(sharedFiles(try round(isAll ? paths : present.sorted(), isAll: isAll)))
                let before = watched
                watched = isAll ? read : watched.union(read)
                shared = stamps(of: watched)
                // As before the round, also where there was no file: what changes meanwhile is read again.
                for path in before.intersection(watched) { shared[path] = newShared[path] }
            }
            Output.standard.note(waiting)
        }
        if hasFailed { return .failed }
        return failing.isEmpty ? .done : .no
    }

    private var waiting: String { "watching \(LintSummary.counted(payloads.paths.count, "file")); Ctrl-C ends this" }

    /// Checks all or some of the files, and reports.
    private mutating func round(_ paths: [String], isAll: Bool) throws -> SettingsResolver {
        var run = try ValidateRun(request, stop: StopSignal(), report: ReportWriter(path: nil))
        if isAll { failing = [:] }
        run.check(paths)
        _ = try run.finish()
        Output.standard.flush()
        for path in paths { failing[path] = nil }
        failing.merge(run.failing) { $1 }
        hasFailed = run.summary.failures > 0 || (hasFailed && !isAll)
        return run.resolver
    }

    /// The payload files, and their files of ignored rules.
    private func files() -> [String] {
        var files: [String] = []
        for path in paths {
            files += PayloadFolder.isFolder(path) ? PayloadFolder(path).files : [path]
        }
        return files.filter { !request.writesOrKnows($0) }.flatMap { [$0, $0 + Suppression.sidecarEnding] }
    }

    private func payloadPath(of path: String) -> String {
        path.hasSuffix(Suppression.sidecarEnding) ? String(path.dropLast(Suppression.sidecarEnding.count)) : path
    }

    /// The configurations that were read, the places where one may appear, and the baseline.
    private func sharedFiles(_ resolver: SettingsResolver) -> [String] {
        resolver.configurations.flatMap(\.files) + resolver.foldersWithout.map { $0 + Configuration.fileName }
            + [request.baseline].compactMap { $0 }
    }

    private func stamps(of paths: some Sequence<String>) -> FileStamps {
        var stamps = FileStamps()
        for path in paths {
            var facts = stat()
            guard stat(path, &facts) == 0 else { continue }
            #if canImport(Darwin)
                let time = facts.st_mtimespec
            #else
                let time = facts.st_mtim
            #endif
            // Read by offset: in a release build the compiler reports the members of `timespec` as belonging to a module
            // that cannot be imported.
            let (seconds, nanoseconds) = withUnsafeBytes(of: time) {
                (Int64($0.load(as: Int.self)), Int64($0.load(fromByteOffset: MemoryLayout<Int>.size, as: Int.self)))
            }
            stamps[path] = FileStamps.Stamp(
                device: UInt64(truncatingIfNeeded: facts.st_dev), number: UInt64(truncatingIfNeeded: facts.st_ino),
                bytes: Int64(facts.st_size), seconds: seconds, nanoseconds: nanoseconds)
        }
        return stamps
    }

    /// Waits for the interval, or until it is stopped.
    private func wait() {
        var wanted = pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&wanted, stop.descriptor < 0 ? 0 : 1, ValidateWatch.interval)
    }
}
