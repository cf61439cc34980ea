package import ProviderToken

/// The form in which the bytes of a key came, which deployments change in known ways. It has no key material.
package struct KeyForm: Hashable, Sendable {
    /// What is unusual in the text around a key.
    package enum Oddity: String, Hashable, Sendable, CaseIterable {
        case utf16, byteOrderMark, escapedLineEnds, quotationMarks, base64, der, noLineEnds, indentation

        /// What follows "the key" in a sentence.
        package var description: String {
            switch self {
            case .utf16: "is text in UTF-16, as PowerShell's > writes it"
            case .byteOrderMark: "begins with a byte-order mark"
            case .escapedLineEnds: #"has the two characters \n where its lines end"#
            case .quotationMarks: "is in quotation marks"
            case .base64: "is base64 of a .p8 file"
            case .der: "is DER, without the lines of PEM"
            case .noLineEnds: "is PEM on one line"
            case .indentation: "has white space before its lines"
            }
        }

        /// How a shell writes the file as it was, from a file `KEY`.
        package var remedy: String {
            switch self {
            case .utf16: "write it in UTF-8: iconv -f UTF-16 -t UTF-8 KEY > AuthKey.p8"
            case .byteOrderMark: #"write it without the mark: sed '1s/^\xEF\xBB\xBF//' KEY > AuthKey.p8"#
            case .escapedLineEnds: #"write real line ends: printf '%b\n' "$(cat KEY)" > AuthKey.p8"#
            case .quotationMarks: #"write it without the marks: tr -d "\"'" < KEY > AuthKey.p8"#
            case .base64: "decode it: base64 -d KEY > AuthKey.p8"
            case .der: "write PEM: openssl pkey -inform DER -in KEY -out AuthKey.p8"
            case .noLineEnds: "copy the file again as it was downloaded, with its lines"
            case .indentation: "write it without the white space: sed 's/^[ \\t]*//' KEY > AuthKey.p8"
            }
        }
    }

    /// In the order of their cases.
    package var oddities: [Oddity]
    /// Why `apns send` cannot read it; nil where it can.
    package var problem: KeyError?
    /// Whether there is a key once what is odd is undone.
    package var hasKey: Bool

    package init(oddities: [Oddity] = [], problem: KeyError? = nil, hasKey: Bool = true) {
        self.oddities = oddities
        self.problem = problem
        self.hasKey = hasKey
    }

    /// Reads a key in any form.
    ///
    /// - Returns: The key, where there is one, and what is said about its form.
    package static func read(_ bytes: [UInt8]) -> (form: KeyForm, key: SigningKey?) {
        var form = KeyForm(oddities: oddities(in: bytes))
        do throws(KeyError) {
            return (form, try SigningKey(content: bytes))
        } catch {
            form.problem = error
        }
        var key: SigningKey?
        if form.oddities.contains(.utf16) { key = try? SigningKey(content: utf8(fromUTF16: bytes)) }
        form.hasKey = key != nil
        // Base64 of something else is not a form of a key.
        if key == nil { form.oddities.removeAll { $0 == .base64 } }
        return (form, key)
    }

    /// Whether the text is fine and the key in it is of a kind that APNs does not take.
    package var isOtherKind: Bool {
        guard let problem, !hasKey else { return false }
        return !KeyForm.codesOfForm.contains(problem.code)
    }

    private static let codesOfForm: Set<KeyError.Code> = [
        .empty, .tooLarge, .unreadable, .noVariable, .noKey, .truncated, .malformed,
    ]

    private static func oddities(in bytes: [UInt8]) -> [Oddity] {
        var found: Set<Oddity> = []
        if isUTF16(bytes) { return [.utf16] }
        var rest = bytes[...]
        if rest.starts(with: [0xef, 0xbb, 0xbf]) {
            found.insert(.byteOrderMark)
            rest = rest.dropFirst(3)
        }
        if rest.first == 0x30, rest.contains(where: { $0 >= 0x80 }) { return [.der] }
        let words = rest.drop(while: isBlank)
        if let mark = words.first, "\"'`".utf8.contains(mark) { found.insert(.quotationMarks) }
        if words.contains(UInt8(ascii: "\\")) { found.insert(.escapedLineEnds) }
        guard let begin = words.firstRange(of: Array("-----BEGIN ".utf8)) else {
            let isBase64 = !words.isEmpty && !found.contains(.escapedLineEnds)
            return (found.union(isBase64 ? [.base64] : [])).sorted()
        }
        let body = words[begin.lowerBound...].reversed().drop(while: isBlank).reversed()
        if !body.contains(where: { $0 == 0x0a || $0 == 0x0d }), !found.contains(.escapedLineEnds) {
            found.insert(.noLineEnds)
        }
        if hasIndentation(rest) { found.insert(.indentation) }
        return found.sorted()
    }

    /// Whether a line of PEM begins with white space.
    private static func hasIndentation(_ text: ArraySlice<UInt8>) -> Bool {
        text.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }).contains { line in
            (line.first == 0x20 || line.first == 0x09) && line.contains { !isBlank($0) }
        }
    }

    /// Every other byte of ASCII in UTF-16 is zero.
    private static func isUTF16(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff])
            || bytes.count >= 4 && (bytes[1] == 0 && bytes[3] == 0 || bytes[0] == 0 && bytes[2] == 0)
    }

    private static func utf8(fromUTF16 bytes: [UInt8]) -> [UInt8] { bytes.filter { $0 != 0 && $0 < 0x80 } }

    private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0a, 0x0d].contains(byte) }
}

extension Set<KeyForm.Oddity> {
    fileprivate func sorted() -> [KeyForm.Oddity] { KeyForm.Oddity.allCases.filter(contains) }
}
