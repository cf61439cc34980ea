import PayloadJSON

/// A problem of an envelope that its values do not show.
public struct EnvelopeProblem: Hashable, Sendable {
    /// The key, as it is spelt.
    public var key: String
    public var kind: Kind

    public enum Kind: Hashable, Sendable {
        /// A key that looks like a header but is not one, with the header that was probably meant, if there is one.
        case unknownKey(meant: String?)
        /// The value is an object with headers that the envelope itself does not have; with their names.
        case nestedHeaders([String])
        /// The key is repeated, and the last value is used.
        case repeatedKey
        /// The value has a type that a header cannot have; with the type in words, such as "an array".
        case wrongKind(String)
        /// A misspelt key that was meant to name the app of a simulator file.
        case misspeltTarget
        /// The value of `payload-base64` is not a string in Base64 with its padding.
        case notBase64
        /// `payload` is not the payload in `payload-base64`, which is used.
        case otherPayload
    }

    public init(key: String, _ kind: Kind) {
        self.key = key
        self.kind = kind
    }

    /// The problems of the key that names the app of a simulator file.
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
        var problems: [EnvelopeProblem] = []
        let kind = document.kind(of: target)
        if kind != .string { problems.append(EnvelopeProblem(key: key, .wrongKind(kind.inWords))) }
        var count = 0
        for member in document.members(of: .root) where document.string(of: member.key) == key { count += 1 }
        if count > 1 { problems.append(EnvelopeProblem(key: key, .repeatedKey)) }
        return problems
    }

    private static func bare(_ text: String) -> String {
        text.lowercased().filter { $0 != " " && $0 != "-" && $0 != "_" }
    }
}
