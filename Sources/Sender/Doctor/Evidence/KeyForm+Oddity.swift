extension KeyForm {
    /// What is unusual in the text around a key.
    package enum Oddity: Hashable, Sendable {
        /// - Parameter encoding: Its name for iconv: `UTF-16` where it has a byte-order mark, otherwise `UTF-16LE` or `UTF-16BE`.
        case utf16(encoding: String)
        case byteOrderMark
        case quotationMarks
        case escapedLineEnds
        /// - Parameters:
        ///   - isURL: Whether it has `-` or `_`, which are `+` and `/` in the usual alphabet.
        ///   - missing: How many `=` are missing at its end.
        ///   - isBody: Whether it is what stands between the first and the last line of a .p8 file.
        case base64(isURL: Bool, missing: Int, isBody: Bool)
        case der
        case carriageReturns
        case indentation
        case noLineEnds
        case textAround
        /// - Parameter count: At least 2.
        case severalKeys(count: Int)

        var isBase64: Bool { if case .base64 = self { true } else { false } }

        /// What follows "the key" in a sentence.
        package var description: String {
            switch self {
            case .utf16: "is text in UTF-16, as PowerShell's > writes it"
            case .byteOrderMark: "begins with a byte-order mark"
            case .quotationMarks: "is in quotation marks"
            case .escapedLineEnds: #"has the two characters \n where its lines end"#
            case .base64(let isURL, let missing, let isBody):
                "is base64\(isURL ? "url" : "")\(missing > 0 ? " without its padding" : "") of a .p8 file"
                    + (isBody ? ", without its first and last line" : "")
            case .der: "is DER, without the lines of PEM"
            case .carriageReturns: "has carriage returns alone where its lines end"
            case .indentation: "has white space before its lines"
            case .noLineEnds: "is PEM on one line"
            case .textAround: "has other text before or behind it"
            case .severalKeys(let count): "is the first of \(count) in the file, and apns uses no other"
            }
        }

        /// What the commands do, where nothing else is to be undone.
        var purpose: String {
            switch self {
            case .utf16: "write it in UTF-8"
            case .byteOrderMark: "write it without the mark"
            case .quotationMarks: "write it without the marks"
            case .escapedLineEnds: "write real line ends"
            case .base64(_, _, let isBody): isBody ? "decode it, and write PEM" : "decode it"
            case .der: "write PEM"
            case .carriageReturns: "write line feeds"
            case .indentation: "write it without the white space"
            case .noLineEnds: "write its lines"
            case .textAround: "write the key alone"
            case .severalKeys: "keep the key that the key id is of; where that is the first"
            }
        }

        /// The commands of a shell that undo it. Each reads what the one before it writes, and the last one writes the result.
        var commands: [String] {
            switch self {
            case .utf16(let encoding): ["iconv -f \(encoding) -t UTF-8"]
            case .byteOrderMark: ["tail -c +4"]
            case .quotationMarks: [#"tr -d "\"'\`""#]
            case .escapedLineEnds: [#"awk '{ sub(/(\\+[nr]?)+$/, ""); gsub(/(\\+[nr]?)+/, "\n") } 1'"#]
            case .base64(let isURL, let missing, let isBody):
                Oddity.decoding(isURL: isURL, missing: missing) + (isBody ? [Oddity.toPEM] : [])
            case .der: [Oddity.toPEM]
            case .carriageReturns: [#"tr '\r' '\n'"#]
            case .indentation: ["sed 's/^[[:blank:]]*//'"]
            case .noLineEnds, .textAround, .severalKeys: Oddity.rewriting
            }
        }

        private static let withoutSpace = "tr -d '[:space:]'"
        private static let toPEM = "openssl pkey -inform DER"

        private static func decoding(isURL: Bool, missing: Int) -> [String] {
            var commands = [withoutSpace]
            if isURL { commands.append("tr '_-' '/+'") }
            if missing > 0 { commands.append("{ cat; echo '\(String(repeating: "=", count: missing))'; }") }
            return commands + ["base64 -d"]
        }

        /// Takes the base64 of the first key out of the text, and writes PEM.
        private static let rewriting = [
            withoutSpace, "sed 's/-----ENDPRIVATEKEY-----.*//; s/.*-----BEGINPRIVATEKEY-----//'", "base64 -d", toPEM,
        ]
    }
}
