import APNSModel
import DER

/// The text of a key, as configuration and deployment tools hand it on: a `.p8` file whose line ends are the two
/// characters `\n`, or are missing, one in quotation marks, or one as base64.
struct KeyText {
    /// What `KeyFile` reads.
    let file: [UInt8]

    /// Base64 of a file has a third more bytes than the file, and its line ends come on top.
    static let maximumBytes = 2 * KeyFile.maximumBytes

    init(_ text: some Collection<UInt8>) throws(KeyError) { try self.init(Array(text), isDecoded: false) }

    private init(_ text: [UInt8], isDecoded: Bool) throws(KeyError) {
        guard text.count <= KeyText.maximumBytes else {
            throw KeyError(
                .tooLarge, "the text has \(text.count) bytes, more than \(KeyText.maximumBytes); a key has about 300")
        }
        // DER, as it is in a file.
        if text.first == DERReader.Tag.sequence, text.contains(where: { !$0.isPrintable && !$0.isBlank }) {
            file = text
            return
        }
        let lines = KeyText.withLineEnds(KeyText.withoutQuotes(text))
        guard !lines.allSatisfy(\.isBlank) else {
            throw KeyError(.empty, "the text is empty; it has to be the text of the .p8 file, or base64 of it")
        }
        if KeyText.isPEM(lines) {
            file = lines
            return
        }
        guard !isDecoded, let decoded = try? Base64.decode(lines.filter { !$0.isBlank }, as: .lenient),
            decoded.first == DERReader.Tag.sequence || KeyText.isPEM(decoded)
        else { throw KeyText.error(for: lines) }
        self = try KeyText(decoded, isDecoded: true)
    }

    private static func isPEM(_ text: [UInt8]) -> Bool { text.firstRange(of: Array("-----BEGIN ".utf8)) != nil }

    /// Without a byte-order mark, white space and one pair of quotation marks around the text.
    private static func withoutQuotes(_ text: [UInt8]) -> ArraySlice<UInt8> {
        var rest = text[...]
        if rest.starts(with: [0xef, 0xbb, 0xbf]) { rest = rest.dropFirst(3) }
        rest = rest.trimmed
        if rest.count > 1, let mark = rest.first, mark == rest.last, "\"'`".utf8.contains(mark) {
            rest = rest.dropFirst().dropLast().trimmed
        }
        return rest
    }

    /// With a line feed for each `\n`, `\r` and `\` at the end of a line, however often the backslash is doubled. Neither
    /// base64 nor a label has a backslash.
    private static func withLineEnds(_ text: ArraySlice<UInt8>) -> [UInt8] {
        guard text.contains(backslash) else { return Array(text) }
        var output: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == backslash else {
                output.append(byte)
                continue
            }
            rest = rest.drop { $0 == backslash }
            if rest.first == UInt8(ascii: "n") || rest.first == UInt8(ascii: "r") { rest = rest.dropFirst() }
            output.append(0x0a)
        }
        return output
    }

    private static let backslash = UInt8(ascii: "\\")

    /// The error for a text that is not a key in any of these forms. It says what the text looks like, and shows
    /// nothing of it.
    private static func error(for text: [UInt8]) -> KeyError {
        let wanted = "pass the text of the .p8 file, with its line -----BEGIN PRIVATE KEY-----, or base64 of the file"
        let word = String(decoding: text, as: UTF8.self)
        if !text.contains(where: { $0 == 0x0a || $0 == 0x0d }), word.hasSuffix(".p8") || "/~.".contains(word.prefix(1))
        {
            return KeyError(
                .noKey, "the text looks like the path of a file; read it with SigningKey(path:), or \(wanted)")
        }
        if KeyID(word) != nil {
            return KeyError(.noKey, "the text looks like a key id or a team id; \(wanted)")
        }
        let isBase64 = (try? Base64.decode(text.filter { !$0.isBlank }, as: .lenient)) != nil
        let found = isBase64 ? "base64 of something else" : "neither PEM nor base64"
        return KeyError(.noKey, "the text of \(text.count) bytes is \(found); \(wanted)")
    }
}

extension ArraySlice<UInt8> {
    fileprivate var trimmed: ArraySlice<UInt8> {
        let rest = drop(while: \.isBlank)
        return rest.lastIndex { !$0.isBlank }.map { rest[...$0] } ?? []
    }
}

extension UInt8 {
    fileprivate var isPrintable: Bool { (0x20...0x7e).contains(self) }
}
