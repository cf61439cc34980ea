import APNSModel
import APNSProvider
import ConfigurationText
import ProviderToken

/// A file of named profiles: for each the destination and the credentials, as paths and ids. The keys themselves stay in
/// files of their own.
///
/// ```yaml
/// profiles:
///   staging:
///     key: AuthKey_ABC123DEFG.p8     # relative to the folder of this file; ~/ is the home folder
///     team-id: DEF123GHIJ
///     topic: com.example.app
///     environment: sandbox
/// ```
struct ProfileFile: Sendable {
    /// How messages name it.
    let name: String
    private(set) var profiles: [String: CredentialChoice.Given] = [:]
    /// All problems, in the order of their places.
    private(set) var errors: [ConfigurationError] = []

    static let maximumBytes = 1 << 20
    static let keys = [
        "key", "key-id", "team-id", "topic", "environment", "gateway", "ca", "certificate", "certificate-key",
    ]

    /// - Parameters:
    ///   - folder: With a slash at its end, or empty; what relative paths are resolved against.
    ///   - home: The home folder of the user; nil where it is not known.
    init(_ bytes: [UInt8], name: String, folder: String, home: String?) {
        self.name = name
        // Looked for first, so that no other message shows a part of it.
        if let line = ProfileFile.lineOfKey(in: bytes) {
            errors = [ConfigurationError(file: name, line: line, ProfileFile.keyAdvice)]
            return
        }
        let root: YAMLNode?
        do throws(ConfigurationError) {
            root = try YAMLText.read(bytes, name: name)
        } catch {
            errors = [error]
            return
        }
        guard let root, !root.isNothing else { return }
        var reader = YAMLReader(file: name)
        let paths = ProfilePaths(folder: folder, home: home)
        for (_, key, node) in reader.members(of: root, nil, known: ["profiles"]) {
            for (profile, key, node) in reader.members(of: node, key) {
                guard ProfileFile.isName(profile) else {
                    reader.report(
                        "the name of a profile has 1 to 64 letters, digits, dots, hyphens and underscores", at: node,
                        key)
                    continue
                }
                guard profiles[profile] == nil else {
                    reader.report("there is already a profile with this name", at: node, key)
                    continue
                }
                profiles[profile] = ProfileFile.profile(node, key, paths, &reader)
            }
        }
        errors = reader.errors.sorted { ($0.line ?? 0, $0.column ?? 0) < ($1.line ?? 0, $1.column ?? 0) }
    }

    /// Names in the order of the alphabet.
    var names: [String] { profiles.keys.sorted() }

    private static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"):
                    true
                default: "._-".utf8.contains(byte)
                }
            }
    }

    private static func profile(
        _ node: YAMLNode, _ key: String, _ paths: ProfilePaths, _ reader: inout YAMLReader
    ) -> CredentialChoice.Given {
        var given = CredentialChoice.Given()
        let members = reader.members(of: node, key, known: keys)
        for (name, key, node) in members {
            guard !KeyMaterial.isIn(node.text ?? "") else {
                reader.report(keyAdvice, at: node, key)
                continue
            }
            guard let text = reader.string(node, key) else { continue }
            switch name {
            case "key": given.key = paths.absolute(text)
            case "ca": given.ca = paths.absolute(text)
            case "certificate": given.certificate = paths.absolute(text)
            case "certificate-key": given.certificateKey = paths.absolute(text)
            case "key-id":
                given.keyID = checked(text, KeyID(text) != nil, "10 characters of 0-9 and A-Z", node, key, &reader)
            case "team-id":
                given.teamID = checked(text, TeamID(text) != nil, "10 characters of 0-9 and A-Z", node, key, &reader)
            case "topic":
                given.topic = checked(
                    text, Topic(text) != nil, "a bundle id such as com.example.app", node, key, &reader)
            case "environment":
                given.environment = reader.word(
                    node, key, APNSEnvironment.allCases.map { ($0.rawValue, $0.rawValue) })
            case "gateway":
                let isLocal = (try? LocalGatewayName(text)) ?? nil
                given.gateway = checked(
                    text, isLocal != nil || APNSGateway(url: text) != nil,
                    "https://HOST, https://HOST:PORT, local or local:PORT", node, key, &reader)
            default: break
            }
        }
        for (one, other) in [("key", "certificate"), ("environment", "gateway")] {
            let both = members.filter { [one, other].contains($0.name) }
            guard both.count > 1, let last = both.last else { continue }
            reader.report("\(one) and \(other) exclude each other; remove one of them", at: last.node, last.key)
        }
        if let member = members.first(where: { $0.name == "certificate-key" }),
            !members.contains(where: { $0.name == "certificate" })
        {
            reader.report("it needs certificate", at: member.node, member.key)
        }
        return given
    }

    private static func checked(
        _ text: String, _ isGood: Bool, _ expected: String, _ node: YAMLNode, _ key: String,
        _ reader: inout YAMLReader
    ) -> String? {
        if isGood { return text }
        reader.report("\(node.shown) is given where \(expected) is expected", at: node, key)
        return nil
    }

    private static let keyAdvice =
        "this is the text of a key or certificate, which does not belong here; store it in a file with mode 0600 and give "
        + "its path"

    /// The first line with PEM, counted from 1.
    private static func lineOfKey(in bytes: [UInt8]) -> Int? {
        guard let mark = bytes.firstRange(of: Array("-----BEGIN".utf8)) else { return nil }
        return 1 + bytes[..<mark.lowerBound].count { $0 == UInt8(ascii: "\n") }
    }
}

/// Resolves the paths in a profile file.
struct ProfilePaths {
    /// With a slash at its end, or empty.
    var folder: String
    var home: String?

    func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        if path.hasPrefix("~/"), let home { return home + path.dropFirst(1) }
        return folder + path
    }
}
