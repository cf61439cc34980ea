import ConfigurationText
import Foundation
import OrgSimulator
import SelectiveSync

/// The org in the file of `apns org --org`, or the default one.
struct OrgFile {
    var org: Org
    /// The paths of the key files of apps.
    var keyFiles: [String: String] = [:]

    static func read(_ path: String?) throws(CommandError) -> OrgFile {
        let now = ServerDate(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1_000))
        guard let path else { return OrgFile(org: OrgDocument.standard(at: now)) }
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try InputFile.bytes(of: path, limit: YAMLText.maximumBytes)
        } catch {
            throw CommandError(error.description)
        }
        let document = OrgDocument(bytes, name: path, at: now)
        guard document.errors.isEmpty else {
            let errors = document.errors.map { PlainText.lines($0.description) }.joined(separator: "\n")
            throw CommandError("\(path) cannot be used, so nothing was started:\n\(errors)")
        }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        return OrgFile(
            org: document.org, keyFiles: document.keyFiles.mapValues { $0.hasPrefix("/") ? $0 : folder + $0 })
    }
}

extension PlainText {
    fileprivate static func lines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { safe($0) }.joined(separator: "\n")
    }
}
