import APNSModel
import PayloadJSON

/// How many bytes the parts of a payload have, and how many are left.
///
/// ```swift
/// let size = PayloadSize(of: payload, limit: PushType.alert.maximumPayloadBytes)
/// print(size.remainingBytes, size.table)
/// ```
public struct PayloadSize: Hashable, Sendable {
    /// The bytes of one member: its key with the quotes, the colon, and its value.
    public struct Part: Hashable, Sendable {
        /// The path of keys, joined with dots: `aps.alert`.
        public var name: String
        /// Without white space.
        public var bytes: Int
        /// The members of `aps`, and of the objects in it.
        public var parts: [Part]
    }

    /// As sent.
    public let bytes: Int
    /// The limit of APNs; nil if it depends on a push type that is not stated.
    public let limit: Int?
    /// The members of the root in the order of the payload; empty unless the payload is a JSON object.
    public let parts: [Part]
    /// Insignificant white space.
    public let whiteSpaceBytes: Int
    /// How many bytes fewer the payload would have without `\u` escapes and `\/` that are not necessary.
    public let escapeBytes: Int

    /// - Parameter limit: The limit of APNs; nil if it is unknown.
    public init(of payload: [UInt8], limit: Int? = nil) {
        bytes = payload.count
        self.limit = limit
        var reader = JSONReader()
        do throws(JSONSyntaxError) {
            try reader.parse(payload)
        } catch {
            (parts, whiteSpaceBytes, escapeBytes) = ([], 0, 0)
            return
        }
        let document = reader.document
        let spaces = CompactJSON.compact(payload, in: payload.indices).omitted
        whiteSpaceBytes = spaces.reduce(0) { $0 + $1.count }
        escapeBytes = PayloadSize.escapeBytes(in: payload)
        parts = PayloadSize.parts(of: .root, "", in: document, without: SpaceCount(spaces))
    }

    /// The limit is `maximumPayloadBytes` of the envelope.
    public init(of envelope: Envelope) { self.init(of: envelope.payload, limit: envelope.maximumPayloadBytes) }

    /// How many more bytes the payload may have; negative if it is too large, nil without a limit.
    public var remainingBytes: Int? { limit.map { $0 - bytes } }

    /// The largest members first. A member is listed by its parts if one of them has more than half of its bytes, and
    /// `aps` always is.
    public var largestParts: [Part] {
        func leaves(_ part: Part) -> [Part] {
            guard part.parts.contains(where: { $0.bytes * 2 > part.bytes }) || part.name == "aps" else { return [part] }
            return part.parts.flatMap(leaves)
        }
        return parts.flatMap(leaves).enumerated().sorted { left, right in
            left.element.bytes == right.element.bytes
                ? left.offset < right.offset : left.element.bytes > right.element.bytes
        }.map(\.element)
    }

    /// A table with one line for each part, then brackets and commas, white space, and what is left. Each line has a
    /// line end.
    public var table: String {
        var rows: [(name: String, bytes: Int)] = []
        func add(_ part: Part) {
            rows.append((part.name, part.bytes))
            part.parts.forEach(add)
        }
        parts.forEach(add)
        let frame = bytes - whiteSpaceBytes - parts.reduce(0) { $0 + $1.bytes }
        if !parts.isEmpty { rows.append(("(brackets and commas)", frame)) }
        if whiteSpaceBytes > 0 { rows.append(("(white space)", whiteSpaceBytes)) }
        rows.append(("total", bytes))
        if let limit { rows.append(("limit", limit)) }
        if let remainingBytes { rows.append((remainingBytes < 0 ? "over" : "left", abs(remainingBytes))) }
        let width = rows.map { String($0.bytes).count }.max() ?? 0
        return rows.map { row in
            let number = String(row.bytes)
            return String(repeating: " ", count: width - number.count) + number + "  " + TerminalText.safe(row.name)
                + "\n"
        }.joined()
    }
}

extension PayloadSize {
    private static func parts(
        of object: JSONIndex, _ prefix: String, in document: JSONDocument, without spaces: SpaceCount
    ) -> [Part] {
        document.members(of: object).map { member in
            let name = prefix + (document.string(of: member.key) ?? "")
            let range = document.range(of: member.key).lowerBound..<document.range(of: member.value).upperBound
            // Apple's keys are nested no deeper than this. The app's own keys are not split into parts.
            let isOpen = name == "aps" || (prefix.hasPrefix("aps.") && prefix.utf8.count < 64)
            return Part(
                name: name, bytes: range.count - spaces.count(in: range),
                parts: isOpen ? parts(of: member.value, name + ".", in: document, without: spaces) : [])
        }
    }

    /// In well-formed JSON a backslash occurs only in strings.
    private static func escapeBytes(in payload: [UInt8]) -> Int {
        var saved = 0
        var position = 0
        while position + 1 < payload.count {
            guard payload[position] == UInt8(ascii: "\\") else {
                position += 1
                continue
            }
            guard payload[position + 1] == UInt8(ascii: "u"), position + 6 <= payload.count else {
                saved += payload[position + 1] == UInt8(ascii: "/") ? 1 : 0
                position += 2
                continue
            }
            let digits = String(decoding: payload[position + 2..<position + 6], as: UTF8.self)
            // Half of a surrogate pair: two escapes have 12 bytes, the character has 4.
            switch UInt32(digits, radix: 16) ?? 0 {
            case 0..<0x20: break
            case 0x22, 0x5C: saved += 4
            case 0x20..<0x80: saved += 5
            case 0x80..<0x800: saved += 4
            case 0xD800..<0xE000: saved += 4
            default: saved += 3
            }
            position += 6
        }
        return saved
    }

    /// How much white space is before each offset.
    private struct SpaceCount {
        private let spaces: [Range<Int>]
        private var totals: [Int] = [0]

        init(_ spaces: [Range<Int>]) {
            self.spaces = spaces
            for space in spaces { totals.append((totals.last ?? 0) + space.count) }
        }

        func count(in range: Range<Int>) -> Int { count(before: range.upperBound) - count(before: range.lowerBound) }

        /// `place` is never within white space.
        private func count(before place: Int) -> Int {
            var (low, high) = (0, spaces.count)
            while low < high {
                let middle = (low + high) / 2
                if spaces[middle].upperBound <= place { low = middle + 1 } else { high = middle }
            }
            return totals[low]
        }
    }
}
