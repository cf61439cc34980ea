import APNSPayload
import Foundation
import PayloadLint

/// The page of the rules that is installed with the command.
enum RulesPageFile {
    /// Nil where the command is installed without it.
    static let links: RuleLinks? = {
        let command = System.realPath(Bundle.main.executablePath ?? CommandLine.arguments[0]) ?? ""
        return candidates(beside: command).first { System.fileExists($0) }.flatMap { RuleLinks(file: $0) }
    }()

    /// Where the page may be, for a command with this absolute path: below the same prefix, or in the repository whose build
    /// it is.
    static func candidates(beside command: String) -> [String] {
        let folder = PathText.folder(of: command)
        var paths = [PathText.absolute("../share/doc/apns-toolkit/rules.html", in: folder)]
        if let build = folder.range(of: "/.build/") { paths.append(folder[..<build.lowerBound] + "/docs/rules.html") }
        return paths
    }
}
