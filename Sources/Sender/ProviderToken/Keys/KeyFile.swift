import APNSModel
import DER

/// Finds the DER of a key in a file. If the file is not the wanted key, the error says what it is.
struct KeyFile {
    enum Wanted: String {
        case privateKey = "PRIVATE KEY"
        case publicKey = "PUBLIC KEY"

        /// The label of the PEM block.
        var label: String { rawValue }
    }

    let wanted: Wanted
    /// The content of the first block with the wanted label, or the whole file when it is DER.
    let der: [UInt8]

    /// A key has about 300 bytes. Files may have text outside the PEM markers.
    static let maximumBytes = 16 * 1024

    init(_ file: [UInt8], _ wanted: Wanted) throws(KeyError) {
        self.wanted = wanted
        guard file.count <= KeyFile.maximumBytes else {
            throw KeyError(
                .tooLarge, "the file has \(file.count) bytes, more than \(KeyFile.maximumBytes); a key has about 300")
        }
        guard !file.allSatisfy(\.isBlank) else {
            throw KeyError(.empty, "the file is empty; download or copy the key again")
        }
        let blocks = PEMBlock.blocks(in: file)
        if let block = blocks.first(where: { $0.label == wanted.label }) {
            der = try block.decoded()
            return
        }
        for block in blocks {
            if let kind = KeyKind(label: block.label) { throw kind.error(where: wanted) }
        }
        if let block = blocks.first {
            throw KeyError(.noKey, "the file holds a block \(block.label), but none labelled \(wanted.label)")
        }
        guard !KeyFile.isUTF16(file) else {
            throw KeyError(
                .noKey,
                "the file is text in UTF-16, as PowerShell's > writes it; save it as UTF-8, or download the key again")
        }
        guard file.first == DERReader.Tag.sequence, file.contains(where: { !(0x20...0x7e).contains($0) && !$0.isBlank })
        else {
            throw KeyError(
                .noKey, "the file has no line -----BEGIN \(wanted.label)----- and is not DER; pass the key file itself")
        }
        der = file
    }

    /// Whether it begins with a byte-order mark of UTF-16, or with ASCII in it, of which every other byte is zero.
    private static func isUTF16(_ file: [UInt8]) -> Bool {
        if file.starts(with: [0xff, 0xfe]) || file.starts(with: [0xfe, 0xff]) { return true }
        let zeros = file.prefix(4).map { $0 == 0 }
        return zeros == [false, true, false, true] || zeros == [true, false, true, false]
    }

    /// The error for DER that does not have the wanted structure.
    func error(_ failure: DERReader.Failure) -> KeyError {
        if failure != .truncated, let kind = KeyKind(der: der), kind != KeyKind(label: wanted.label) {
            return kind.error(where: wanted)
        }
        return KeyError(failure, in: wanted == .privateKey ? "PKCS#8 private key" : "public key")
    }
}
