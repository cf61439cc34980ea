import APNSPayload
import ConfigurationText
import PayloadLint

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The input of a run, part by part: files with their settings, and parts of large files.
struct ValidateInput: ~Copyable {
    enum Part {
        case files([FileTask])
        case lines(LineChunkReader.Chunk, FileTask, isFirst: Bool)
        /// What happened while the input was searched.
        case events([ValidateEvent])

        var isFiles: Bool {
            if case .files = self { true } else { false }
        }
    }

    private(set) var resolver: SettingsResolver
    /// How many files were left out, because they have not changed.
    private(set) var unchangedCount = 0
    private let request: ValidateRequest
    private let currentFolder = System.currentFolder
    private let stop: StopSignal
    /// Paths as the user gave them, the next one last.
    private var paths: [String]
    private let isDefault: Bool
    /// Files that were found in a folder, and how many of them were taken.
    private var found: PayloadFolder?
    private var foundCount = 0
    /// The large file that is read in parts.
    private var lines: LineChunkReader?
    private var linesTask: FileTask?
    private var isFirstOfLines = true
    private var events: [ValidateEvent] = []

    /// How many files are checked at once by one thread.
    private static let filesTogether = 32

    init(_ paths: [String], _ request: ValidateRequest, _ resolver: SettingsResolver, stop: StopSignal) {
        self.request = request
        self.resolver = resolver
        self.stop = stop
        isDefault = paths.isEmpty
        self.paths = paths.isEmpty ? ["payloads"] : paths.reversed()
    }

    /// The next part; nil at the end, and after `stop` is raised.
    mutating func next() -> Part? {
        while !stop.isStopped {
            if !events.isEmpty {
                defer { events = [] }
                return .events(events)
            }
            if let part = nextLines() { return part }
            if let part = nextFound() { return part }
            // An event comes before the next of the files.
            guard found == nil, events.isEmpty else { continue }
            guard let path = paths.popLast() else { return nil }
            open(path)
            if let task = linesTask, lines == nil {
                linesTask = nil
                return .files([task])
            }
        }
        return nil
    }

    private mutating func open(_ path: String) {
        if path == "-" {
            return take(
                path, name: request.standardInputName ?? InputFile.standardInputName, hasSidecar: false, isNamed: true)
        }
        if let changes = request.changes, !isCovered(path, by: changes) { return }
        guard PayloadFolder.isFolder(path) else {
            if isDefault, !System.fileExists(path) {
                return fail("there is no folder \(path) here; name the files and folders to check")
            }
            return take(path, name: path, hasSidecar: nil, isNamed: true)
        }
        let folder = PayloadFolder(path)
        for error in folder.errors { fail(error.description) }
        if folder.files.isEmpty, folder.errors.isEmpty, !hasLostFiles(path) {
            fail("\(path) has no payload files, which end with \(PayloadFolder.endings.joined(separator: ", "))")
        }
        found = folder
        foundCount = 0
    }

    /// Some of the files of a folder.
    private mutating func nextFound() -> Part? {
        guard let files = found?.files else { return nil }
        var tasks: [FileTask] = []
        while foundCount < files.count, tasks.count < ValidateInput.filesTogether, events.isEmpty {
            let path = files[foundCount]
            let hasLines = SourceText.hasLines(path)
            // A stream is read in parts of its own, after the files before it.
            if hasLines, !tasks.isEmpty { break }
            foundCount += 1
            guard !request.writesOrKnows(path) else { continue }
            let hasSidecar = found?.sidecars.contains(path + Suppression.sidecarEnding) ?? false
            if hasLines {
                take(path, name: path, hasSidecar: hasSidecar, isNamed: false)
                break
            }
            if let task = task(path, name: path, hasSidecar: hasSidecar, isNamed: false) { tasks.append(task) }
        }
        if foundCount == files.count { found = nil }
        if !tasks.isEmpty { return .files(tasks) }
        guard let task = linesTask, lines == nil else { return nextLines() }
        linesTask = nil
        return .files([task])
    }

    private mutating func nextLines() -> Part? {
        guard let task = linesTask, lines != nil else { return nil }
        defer { isFirstOfLines = false }
        do throws(FileError) {
            guard let chunk = try lines?.next() else {
                lines = nil
                linesTask = nil
                return .events(
                    isFirstOfLines
                        ? [.begin(file: task.name, failOn: task.settings.failOn), .read, .finished(file: task.name)]
                        : [.finished(file: task.name)])
            }
            return .lines(chunk, task, isFirst: isFirstOfLines)
        } catch {
            lines = nil
            linesTask = nil
            let begin = ValidateEvent.begin(file: task.name, failOn: task.settings.failOn)
            return .events([begin] + ValidateEvent.unreadable(task, error))
        }
    }

    /// Takes a file: in parts where it is a regular one with lines and nothing is changed, otherwise as a whole.
    private mutating func take(_ path: String, name: String, hasSidecar: Bool?, isNamed: Bool) {
        guard var task = task(path, name: name, hasSidecar: hasSidecar, isNamed: isNamed) else { return }
        linesTask = task
        guard SourceText.hasLines(name), path != "-", !request.looksForFixes else { return }
        if task.hasSidecar == nil { task.hasSidecar = System.fileExists(task.sidecarPath) }
        linesTask = task
        guard task.hasSidecar == false else { return }
        do throws(FileError) {
            let file = try InputFile(path: path)
            guard file.isRegular else { return }
            lines = LineChunkReader(file)
            isFirstOfLines = true
        } catch {
            linesTask = nil
            events.append(.begin(file: name, failOn: task.settings.failOn))
            events += ValidateEvent.unreadable(task, error)
        }
    }

    /// Nil for a file that the configuration excludes.
    private mutating func task(_ path: String, name: String, hasSidecar: Bool?, isNamed: Bool) -> FileTask? {
        let answer = resolver.settings(for: name)
        takeErrors()
        switch answer {
        case .excluded(let configuration):
            if isNamed { events.append(.note("\(name) is excluded by \(configuration)")) }
            return nil
        case .settings(let number):
            guard hasChanged(path, number) else {
                unchangedCount += 1
                return nil
            }
            return FileTask(
                path: path, name: name, isNamed: isNamed, hasSidecar: hasSidecar, number: number,
                settings: resolver.all[number])
        }
    }

    // MARK: - Changes

    /// Whether the changes say something about a path of the user; otherwise it is reported, but for one that was deleted.
    private mutating func isCovered(_ path: String, by changes: ChangedFiles) -> Bool {
        let absolute = PathText.absolute(path, in: currentFolder)
        guard changes.cover(absolute) || changes.cover(System.realPath(path) ?? absolute) else {
            fail("\(path) is outside of the git repository \(changes.top), so --changed-since cannot be used for it")
            return false
        }
        guard !System.fileExists(path) else { return true }
        guard !hasLostFiles(path) else { return false }
        if isDefault { return true }
        // Left to the check, the file would count as unchanged.
        fail(FileError(path, errno: ENOENT).description)
        return false
    }

    private func hasLostFiles(_ path: String) -> Bool {
        request.changes?.haveAny(atOrBelow: PathText.absolute(path, in: currentFolder)) ?? false
    }

    private func hasChanged(_ path: String, _ number: Int) -> Bool {
        guard let changes = request.changes else { return true }
        let absolute = PathText.absolute(path, in: currentFolder)
        if changes.concern(absolute, configurations: resolver.files(ofSettings: number)) { return true }
        // Git lists a file that is reached through a link by its own name.
        guard let real = System.realPath(path), real != absolute else { return false }
        return changes.concern(real, configurations: [])
    }

    /// Reports the errors of configurations.
    mutating func takeErrors() {
        for fault in resolver.takeErrors() { events.append(.failed(fault.description, file: fault.file)) }
    }

    private mutating func fail(_ message: String) { events.append(.failed(message, file: nil)) }
}
