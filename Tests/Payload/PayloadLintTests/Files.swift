import ConfigurationText
import PayloadLint

/// Files in memory.
struct Files {
    var contents: [String: String]

    var reading: ConfigurationReader.ReadFile {
        { [contents] path in contents[path].map { FileContent.bytes(Array($0.utf8)) } ?? .absent }
    }

    /// A resolver with the current folder `/project`.
    func resolver(options: LintOptions = LintOptions(), file: String? = nil) -> SettingsResolver {
        SettingsResolver(options: options, file: file, currentFolder: "/project", readFile: reading)
    }

    /// The errors of `/project/.apns-validate.yaml`.
    func errors() -> [String] {
        var resolver = resolver()
        _ = resolver.settings(for: "a.json")
        return resolver.takeErrors().map(\.description)
    }
}

extension SettingsResolver {
    /// The settings of a file that is not excluded.
    mutating func found(for path: String) -> LintSettings? {
        guard case .settings(let number) = settings(for: path) else { return nil }
        return all[number]
    }
}
