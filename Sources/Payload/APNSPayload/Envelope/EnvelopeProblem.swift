import PayloadJSON

/// Something about an envelope that its values do not show.
public struct EnvelopeProblem: Hashable, Sendable {
    /// The key at fault, as it is spelt.
    public var key: String
    public var kind: Kind

    public enum Kind: Hashable, Sendable {
        /// A key that looks like a header and is none; with the header that was meant, where it can be told.
        case unknownKey(meant: String?)
        /// The key stands more than once, and the last one counts.
        case repeatedKey
        /// The value is of a kind that a header cannot have; with the kind in words, such as "an array".
        case wrongKind(String)
        /// A key that was meant to name the app of a simulator file.
        case misspeltTarget
    }

    public init(key: String, _ kind: Kind) {
        self.key = key
        self.kind = kind
    }

    /// What is wrong with the key of a simulator file that names the app.
    static func ofTarget(_ target: JSONIndex?, in document: borrowing JSONDocument) -> [EnvelopeProblem] {
        let key = EnvelopeReader.simulatorKey
        guard let target else {
            let wanted = bare(key)
            var problems: [EnvelopeProblem] = []
            for member in document.members(of: .root) {
                guard let name = document.string(of: member.key), bare(name) == wanted else { continue }
                problems.append(EnvelopeProblem(key: name, .misspeltTarget))
            }
            return problems
        }
        let kind = document.kind(of: target)
        return kind == .string ? [] : [EnvelopeProblem(key: key, .wrongKind(kind.inWords))]
    }

    private static func bare(_ text: String) -> String {
        text.lowercased().filter { $0 != " " && $0 != "-" && $0 != "_" }
    }
}
