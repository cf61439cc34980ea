import APNSModel

/// One block between `-----BEGIN X-----` and `-----END X-----` (RFC 7468), not decoded yet.
struct PEMBlock {
    let label: String
    /// Nil when the file ends before the closing marker.
    private let body: ArraySlice<UInt8>?

    /// Every block of a file. Text outside the markers is skipped, and so is an opening marker without its five closing
    /// dashes on the same line.
    static func blocks(in file: [UInt8]) -> [PEMBlock] {
        var found: [PEMBlock] = []
        var rest = file[...]
        while let opening = rest.firstRange(of: begin) {
            rest = rest[opening.upperBound...]
            guard let closing = rest.firstRange(of: dashes), closing.lowerBound - rest.startIndex <= maximumLabelBytes,
                rest[..<closing.lowerBound].allSatisfy({ (0x20...0x7e).contains($0) })
            else { continue }
            let label = rest[..<closing.lowerBound]
            rest = rest[closing.upperBound...]
            let text = String(decoding: label, as: UTF8.self)
            guard let end = rest.firstRange(of: Array("-----END \(text)-----".utf8)) else {
                found.append(PEMBlock(label: text, body: nil))
                continue
            }
            found.append(PEMBlock(label: text, body: rest[..<end.lowerBound]))
            rest = rest[end.upperBound...]
        }
        return found
    }

    /// The decoded bytes of the block.
    func decoded() throws(KeyError) -> [UInt8] {
        guard let body else {
            throw KeyError(
                .truncated, "the file ends without -----END \(label)-----; copy it again, with its last line")
        }
        do {
            return try Base64.decode(body, as: .pem)
        } catch {
            switch error {
            case .truncated:
                throw KeyError(
                    .truncated,
                    "the base64 between the \(label) markers ends inside a group of four; copy the file again")
            case .character(let offset):
                throw KeyError(.malformed, PEMBlock.describe(body[body.startIndex + offset], at: offset, in: label))
            }
        }
    }

    private static func describe(_ byte: UInt8, at offset: Int, in label: String) -> String {
        let place = "byte \(offset) after -----BEGIN \(label)-----"
        guard byte != UInt8(ascii: "\\") else {
            return "\(place) is a backslash: replace \\n by real line ends"
        }
        return "\(place) is not base64; copy the file again"
    }

    private static let begin = Array("-----BEGIN ".utf8)
    private static let dashes = Array("-----".utf8)
    private static let maximumLabelBytes = 64
}

extension PEMBlock {
    /// A file with one block: lines of 64 characters, and a line feed at the end.
    static func encode(_ der: [UInt8], label: String) -> [UInt8] {
        var output = Array("-----BEGIN \(label)-----\n".utf8)
        var rest = Base64.encode(der)[...]
        while !rest.isEmpty {
            output += rest.prefix(64)
            output.append(0x0a)
            rest = rest.dropFirst(64)
        }
        return output + Array("-----END \(label)-----\n".utf8)
    }
}
