import APNSModel

/// The text of a key, with what deployments did to it undone, as the commands of `KeyForm.Oddity` undo it.
struct RestoredKeyText {
    /// In the order in which they are undone.
    private(set) var oddities: [KeyForm.Oddity] = []
    /// PEM, with any lines and any text around it, or DER, where that is what it was made of.
    private(set) var text: [UInt8]

    init(_ bytes: [UInt8]) {
        text = bytes
        decodeUTF16()
        restore(isDecoded: false)
    }

    /// - Parameter isDecoded: Whether `text` was base64, which is decoded once.
    private mutating func restore(isDecoded: Bool) {
        guard !isDER else { return oddities.append(.der) }
        dropByteOrderMark()
        dropQuotationMarks()
        if hasEscapes {
            oddities.append(.escapedLineEnds)
            unescape()
        }
        if RestoredKeyText.isPEM(text) {
            inspectBlocks()
        } else if !isDecoded {
            decodeBase64()
        }
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let backslash = UInt8(ascii: "\\")
    private static let marks = Array("\"'`".utf8)
    /// The tag of a SEQUENCE.
    private static let startOfDER: UInt8 = 0x30

    private static func isPEM(_ text: [UInt8]) -> Bool { text.firstRange(of: Array("-----BEGIN ".utf8)) != nil }

    private var isDER: Bool {
        text.first == RestoredKeyText.startOfDER && text.contains { !(0x20...0x7e).contains($0) && !$0.isBlank }
    }

    // MARK: What encodes the whole text

    /// Every other byte of ASCII in UTF-16 is zero.
    private mutating func decodeUTF16() {
        let zeros = text.prefix(4).map { $0 == 0 }
        let encoding: String
        if text.starts(with: [0xff, 0xfe]) || text.starts(with: [0xfe, 0xff]) {
            encoding = "UTF-16"
        } else if zeros == [false, true, false, true] {
            encoding = "UTF-16LE"
        } else if zeros == [true, false, true, false] {
            encoding = "UTF-16BE"
        } else {
            return
        }
        oddities.append(.utf16(encoding: encoding))
        text = text.filter { $0 != 0 && $0 < 0x80 }
    }

    private mutating func dropByteOrderMark() {
        guard text.starts(with: [0xef, 0xbb, 0xbf]) else { return }
        oddities.append(.byteOrderMark)
        text.removeFirst(3)
    }

    /// Neither base64 nor a label has such a mark, so that all of them can go.
    private mutating func dropQuotationMarks() {
        guard let first = text.first(where: { !$0.isBlank }), RestoredKeyText.marks.contains(first) else { return }
        oddities.append(.quotationMarks)
        text.removeAll { RestoredKeyText.marks.contains($0) }
    }

    /// Whether there is a backslash in the first block of PEM, or in a text that is not PEM.
    private var hasEscapes: Bool {
        guard let begin = text.firstRange(of: Array("-----BEGIN ".utf8)) else {
            return text.contains(RestoredKeyText.backslash)
        }
        let rest = text[begin.upperBound...]
        let end = rest.firstRange(of: Array("-----END ".utf8))?.lowerBound ?? rest.endIndex
        return rest[..<end].contains(RestoredKeyText.backslash)
    }

    /// With a line feed for each `\n`, `\r` and single backslash.
    private mutating func unescape() {
        var output: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            guard byte == RestoredKeyText.backslash else {
                output.append(byte)
                continue
            }
            rest = rest.drop { $0 == RestoredKeyText.backslash }
            if rest.first == UInt8(ascii: "n") || rest.first == UInt8(ascii: "r") { rest = rest.dropFirst() }
            output.append(RestoredKeyText.lineFeed)
        }
        text = output
    }

    private mutating func decodeBase64() {
        let digits = text.filter { !$0.isBlank }
        guard let decoded = try? Base64.decode(digits, as: .lenient),
            decoded.first == RestoredKeyText.startOfDER || RestoredKeyText.isPEM(decoded)
        else {
            oddities.removeAll { $0 == .escapedLineEnds }  // a backslash in something else, such as a path
            return
        }
        let isBody = decoded.first == RestoredKeyText.startOfDER
        let isURL = digits.contains(UInt8(ascii: "-")) || digits.contains(UInt8(ascii: "_"))
        oddities.append(.base64(isURL: isURL, missing: (4 - digits.count % 4) % 4, isBody: isBody))
        text = decoded
        if !isBody { restore(isDecoded: true) }
    }

    // MARK: PEM

    private static let begin = Array("-----BEGIN PRIVATE KEY-----".utf8)
    private static let end = Array("-----END PRIVATE KEY-----".utf8)

    /// The first block with a private key, with its first and last line.
    private static func block(in text: ArraySlice<UInt8>) -> Range<Int>? {
        guard let first = text.firstRange(of: begin),
            let last = text[first.upperBound...].firstRange(of: end)
        else { return nil }
        return first.lowerBound..<last.upperBound
    }

    private mutating func inspectBlocks() {
        guard let place = RestoredKeyText.block(in: text[...]) else { return }
        let before = text[..<place.lowerBound]
        let block = text[place]
        var around = Array(before)
        var rest = text[place.upperBound...]
        var count = 1
        while let next = RestoredKeyText.block(in: rest) {
            around += rest[..<next.lowerBound]
            rest = rest[next.upperBound...]
            count += 1
        }
        around += rest
        if block.contains(RestoredKeyText.carriageReturn), !block.contains(RestoredKeyText.lineFeed) {
            oddities.append(.carriageReturns)
        }
        if RestoredKeyText.isIndented(block, behind: before) { oddities.append(.indentation) }
        if !RestoredKeyText.hasLines(block) { oddities.append(.noLineEnds) }
        if around.contains(where: { !$0.isBlank }) { oddities.append(.textAround) }
        if count > 1 { oddities.append(.severalKeys(count: count)) }
    }

    /// Whether a line of the block begins with white space.
    private static func isIndented(_ block: ArraySlice<UInt8>, behind before: ArraySlice<UInt8>) -> Bool {
        if let last = before.last, last.isSpace, before.last(where: { !$0.isSpace })?.isLineEnd ?? true { return true }
        return block.split(whereSeparator: \.isLineEnd).dropFirst().contains { line in
            line.first?.isSpace == true && line.contains { !$0.isSpace }
        }
    }

    /// Whether there is a line end behind the first line of the block and before the last one.
    private static func hasLines(_ block: ArraySlice<UInt8>) -> Bool {
        let body = block.dropFirst(begin.count).dropLast(end.count)
        return body.first(where: { !$0.isSpace })?.isLineEnd == true
            && body.last(where: { !$0.isSpace })?.isLineEnd == true
    }
}

extension UInt8 {
    fileprivate var isSpace: Bool { self == 0x20 || self == 0x09 }
    fileprivate var isLineEnd: Bool { self == 0x0a || self == 0x0d }
}
