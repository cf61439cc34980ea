import APNSModel
import ArgumentParser
import ConfigurationText

/// The options that choose a profile: destination and credentials under one name, in a file of the user.
struct ProfileOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Take destination, credentials and topic from this profile, as far as no option and no variable gives them.",
            valueName: "name"),
        completion: .custom { words, _, _ in ProfileOptions.names(for: words) })
    var profile: String?

    @Option(
        help: ArgumentHelp(
            "The file of the profiles (default: ~/.config/apns-toolkit/profiles.yaml).", valueName: "path"),
        completion: .file(extensions: ["yaml", "yml"]))
    var profileFile: String?

    static let nameVariable = "APNS_PROFILE"
    static let fileVariable = "APNS_PROFILES"

    func validate() throws {
        guard profileFile == nil || profile != nil || System.environment(ProfileOptions.nameVariable) != nil else {
            throw ValidationError(
                "--profile-file needs --profile NAME, or \(ProfileOptions.nameVariable), to choose from it.")
        }
    }

    /// The chosen profile; nil where none is chosen. Then no file is read.
    func chosen() throws(CommandError) -> ChosenProfile? {
        guard let name = profile ?? System.environment(ProfileOptions.nameVariable) else { return nil }
        guard let path = ProfileOptions.path(profileFile, System.environment) else {
            throw CommandError("there is no home folder to look for profiles in; give --profile-file PATH")
        }
        return try ChosenProfile(name, in: try ProfileOptions.read(path))
    }

    /// The path of the file: the option, APNS_PROFILES, or the one in the folder of the user's configuration.
    ///
    /// - Parameter variable: The value of an environment variable; nil for an absent or empty one.
    static func path(_ option: String?, _ variable: (String) -> String?) -> String? {
        if let path = option ?? variable(fileVariable) { return path }
        let folder =
            variable("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? variable("HOME").map { "\($0)/.config" }
        return folder.map { "\($0)/apns-toolkit/profiles.yaml" }
    }

    private static func read(_ path: String) throws(CommandError) -> ProfileFile {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try InputFile.bytes(of: path, limit: ProfileFile.maximumBytes)
        } catch {
            throw CommandError("\(error); it should be a file of profiles (docs/profiles.md)")
        }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        return ProfileFile(bytes, name: path, folder: folder, home: System.environment("HOME"))
    }

    /// The names to complete `--profile` with; none where there is no file.
    private static func names(for words: [String]) -> [String] {
        let option = zip(words, words.dropFirst()).first { $0.0 == "--profile-file" }?.1
        guard let path = path(option, System.environment) else { return [] }
        return (try? read(path))?.names ?? []
    }
}

/// A profile that was asked for.
struct ChosenProfile: Hashable, Sendable {
    var name: String
    var given: CredentialChoice.Given

    /// - Throws: All problems of the file, or that it has no such profile.
    init(_ name: String, in file: ProfileFile) throws(CommandError) {
        guard file.errors.isEmpty else {
            let errors = file.errors.map(\.description).joined(separator: "\n")
            throw CommandError("\(file.name) cannot be used:\n\(errors)")
        }
        guard let given = file.profiles[name] else {
            let meant =
                Suggestion.best(for: name, among: file.names).map { "did you mean \($0)?" }
                ?? (file.names.isEmpty ? "it has none" : "it has \(file.names.prefix(20).joined(separator: ", "))")
            throw CommandError(
                "\(file.name) has no profile \"\(PlainText.safe(ShownText.cut(name, to: 80)))\"; \(meant)")
        }
        self.name = name
        self.given = given
    }
}
