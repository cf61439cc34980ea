package import APNSPayload
import PayloadJSON

/// The known findings of a project, which are not reported.
package struct Baseline: Sendable {
    package struct Entry: Hashable, Sendable {
        /// Relative to the folder of the baseline.
        package var file: String
        package var rule: String
        package var fingerprint: String
        package var message: String
    }

    package struct FormatError: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    private struct Key: Hashable {
        var file: String
        var fingerprint: String
    }

    /// How many occurrences of each finding are left.
    private var open: [Key: Int] = [:]
    private let entries: [Entry]
    private var files: Set<String>
    private var checkedFiles: Set<String> = []

    package static let maximumBytes = 256 * 1024 * 1024
    static let formatKey = "apns-validate-baseline"

    package init(_ bytes: [UInt8], name: String) throws(FormatError) {
        let document: JSONDocument
        do throws(JSONSyntaxError) {
            document = try JSONDocument(bytes)
        } catch {
            let place = LineIndex(bytes).location(of: error.offset)
            throw FormatError(description: "\(name):\(place.line):\(place.column): the baseline is not JSON: \(error)")
        }
        let format = document.member(named: Baseline.formatKey, of: .root).flatMap { document.integer(of: $0) }
        guard format == 1, let list = document.member("findings", of: .root), document.kind(of: list) == .array else {
            throw FormatError(
                description: "\(name) is not a baseline of this version; create one with --write-baseline \(name)")
        }
        var entries: [Entry] = []
        let lines = LineIndex(bytes)
        for element in document.elements(of: list) {
            let text = { (key: String) in document.member(named: key, of: element).flatMap { document.string(of: $0) } }
            guard let file = text("file"), let rule = text("rule"), let fingerprint = text("fingerprint") else {
                let line = lines.location(of: document.range(of: element).lowerBound).line
                throw FormatError(
                    description:
                        "\(name):\(line): an entry of the baseline needs the strings file, rule and fingerprint")
            }
            entries.append(
                Entry(file: file, rule: rule, fingerprint: fingerprint, message: text("message") ?? ""))
        }
        self.entries = entries
        files = Set(entries.map(\.file))
        for entry in entries { open[Key(file: entry.file, fingerprint: entry.fingerprint), default: 0] += 1 }
    }

    /// Whether the baseline has this finding. Each entry covers one occurrence.
    ///
    /// - Parameter file: Relative to the folder of the baseline.
    package mutating func covers(_ located: LocatedFinding, in source: SourceText, file: String) -> Bool {
        guard files.contains(file) else { return false }
        let key = Key(file: file, fingerprint: Fingerprint(of: located, in: source).text)
        guard let count = open[key], count > 0 else { return false }
        open[key] = count - 1
        return true
    }

    /// Records that a file was checked completely, or does not exist any more.
    package mutating func finished(_ file: String) {
        if files.contains(file) { checkedFiles.insert(file) }
    }

    /// The files of entries that are not finished.
    package var unfinishedFiles: [String] { files.subtracting(checkedFiles).sorted() }

    /// The entries of finished files whose findings did not occur.
    package var obsolete: [Entry] {
        var open = open
        return entries.filter { entry in
            guard checkedFiles.contains(entry.file) else { return false }
            let key = Key(file: entry.file, fingerprint: entry.fingerprint)
            guard let count = open[key], count > 0 else { return false }
            open[key] = count - 1
            return true
        }
    }
}
