package import ConfigurationText

/// Finds the settings for each file. Use one resolver for a run: it reads each configuration once, and files with the
/// same settings share one number.
package struct SettingsResolver: Sendable {
    package enum Answer: Hashable, Sendable {
        /// The number of the settings in `all`.
        case settings(Int)
        /// Excluded by the configuration with this name.
        case excluded(by: String)
    }

    /// The settings of all files so far.
    package private(set) var all: [LintSettings] = []
    /// The configurations of all files so far.
    package private(set) var configurations: [Configuration] = []

    private let options: LintOptions
    private let currentFolder: String
    private let reader: ConfigurationReader
    /// The number in `configurations` for each folder so far; −1 for none.
    private var configurationOfFolder: [String: Int] = [:]
    /// The folder of the previous file, and its path relative to the folder of the configuration.
    private var lastFolder: (folder: String, configuration: Int, path: Glob.Path)?
    private let explicit: Int?
    private var numbers: [Key: Int] = [:]
    /// The number in `configurations` for each of `all`; −1 for none.
    private var configurationOfSettings: [Int] = []
    private var newErrors: [ConfigurationError] = []
    private var reportedErrors: Set<ConfigurationError> = []

    private struct Key: Hashable {
        var configuration: Int
        var overrides: [Int]
    }

    private static let none = -1

    /// - Parameters:
    ///   - options: The settings of the command line.
    ///   - file: The only configuration to use; nil to use the nearest one for each file. Its patterns are relative to
    ///     the current folder.
    ///   - currentFolder: An absolute path.
    package init(
        options: LintOptions = LintOptions(), file: String? = nil, currentFolder: String,
        readFile: @escaping ConfigurationReader.ReadFile
    ) {
        self.options = options
        self.currentFolder = currentFolder
        reader = ConfigurationReader(
            currentFolder: currentFolder, allowsNewPushTypes: options.allowsNewPushTypes, readFile: readFile)
        guard let file else {
            explicit = nil
            return
        }
        let path = PathText.absolute(file, in: currentFolder)
        explicit = 0
        if let found = reader.read(path, patternsFrom: currentFolder) {
            configurations = [found.configuration]
            newErrors = found.errors
        } else {
            configurations = [Configuration(file: file, folder: currentFolder)]
            newErrors = [ConfigurationError(file: file, "there is no such configuration; check the path")]
        }
    }

    /// The settings for a file.
    package mutating func settings(for path: String) -> Answer {
        let (folder, file) = PathText.split(path)
        let number = explicit ?? configuration(ofFolder: String(folder))
        guard number != SettingsResolver.none else {
            return .settings(settings(Key(configuration: number, overrides: [])))
        }
        let configuration = configurations[number]
        guard !configuration.exclude.isEmpty || !configuration.overrides.isEmpty else {
            return .settings(settings(Key(configuration: number, overrides: [])))
        }
        let name = place(of: String(folder), number).file(file)
        if configuration.exclude.contains(where: { $0.matches(name) }) { return .excluded(by: configuration.file) }
        let overrides = configuration.overrides.indices.filter { index in
            configuration.overrides[index].paths.contains { $0.matches(name) }
        }
        return .settings(settings(Key(configuration: number, overrides: overrides)))
    }

    /// The files of the configuration that the settings with this number come from; absolute paths.
    package func files(ofSettings number: Int) -> [String] {
        let configuration = configurationOfSettings[number]
        return configuration == SettingsResolver.none ? [] : configurations[configuration].files
    }

    /// The folders without a configuration that were searched for one; absolute, with `/` at the end.
    package var foldersWithout: [String] {
        let found = Set(configurations.compactMap { $0.files.last.map { PathText.folder(of: $0) } })
        return configurationOfFolder.keys.filter { $0.hasPrefix("/") && !$0.hasSuffix("/") && !found.contains($0) }.map
        { $0 + "/" }
    }

    /// The errors since the last call. Each error is returned once, because several configurations can extend one with
    /// errors.
    package mutating func takeErrors() -> [ConfigurationError] {
        guard !newErrors.isEmpty else { return [] }
        defer { newErrors = [] }
        return newErrors.filter { reportedErrors.insert($0).inserted }
    }

    /// Most files are in the same folder as the previous one.
    private mutating func place(of folder: String, _ configuration: Int) -> Glob.Path {
        if let last = lastFolder, last.folder == folder, last.configuration == configuration { return last.path }
        let base = configurations[configuration].folder
        let way = PathText.relative(PathText.absolute(folder, in: currentFolder), to: base)
        let path = Glob.Path(way == "." ? "" : way)
        lastFolder = (folder, configuration, path)
        return path
    }

    private mutating func settings(_ key: Key) -> Int {
        if let number = numbers[key] { return number }
        let configuration = key.configuration == SettingsResolver.none ? nil : configurations[key.configuration]
        let overrides = key.overrides.compactMap { configuration?.overrides[$0] }
        all.append(LintSettings(configuration, overrides, options))
        configurationOfSettings.append(key.configuration)
        numbers[key] = all.count - 1
        return all.count - 1
    }

    /// The nearest configuration for the files of a folder, in the folder or above it.
    ///
    /// - Parameter folder: The folder as written in the path, with `/` at the end; empty for the current folder.
    private mutating func configuration(ofFolder folder: String) -> Int {
        if let known = configurationOfFolder[folder] { return known }
        let found = configuration(inOrAbove: PathText.absolute(folder, in: currentFolder))
        configurationOfFolder[folder] = found
        return found
    }

    /// - Parameter folder: An absolute path without `/` at the end, so that it never equals a folder as written in a
    ///   path.
    private mutating func configuration(inOrAbove folder: String) -> Int {
        if let known = configurationOfFolder[folder] { return known }
        let path = PathText.absolute(Configuration.fileName, in: folder)
        var found = SettingsResolver.none
        if let read = reader.read(path, patternsFrom: folder) {
            configurations.append(read.configuration)
            newErrors += read.errors
            found = configurations.count - 1
        } else if folder != "/" {
            found = configuration(inOrAbove: PathText.folder(of: folder))
        }
        configurationOfFolder[folder] = found
        return found
    }
}
