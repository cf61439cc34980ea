/// Identifies a finding, also after its line has moved: by its rule, its place in the notification, and the content of
/// that place without white space.
///
/// In a stream the whole line is included as well, because the same pointers occur in every line. Findings that are
/// equal in all this have the same fingerprint.
public struct Fingerprint: Hashable, Sendable {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    public init(of located: LocatedFinding, in source: SourceText) {
        let finding = located.finding
        add(finding.rule.utf8)
        switch finding.place {
        case .header(let name): add("header \(name)".utf8)
        case .payload: add("payload".utf8)
        case .text: add("text".utf8)
        case .pointer(let pointer, _): add("pointer \(pointer)".utf8)
        }
        addText(source.bytes[located.range])
        if source.isLines { addText(source.bytes[...]) }
    }

    /// A fingerprint that also depends on `text`, such as a file name or the number of an occurrence.
    public func combined(with text: String) -> Fingerprint {
        var other = self
        other.add(text.utf8)
        return other
    }

    /// Sixteen hexadecimal digits.
    public var text: String {
        let digits = String(state, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// FNV-1a. A byte that does not occur in UTF-8 separates the strings, so that "ab", "c" and "a", "bc" differ.
    private mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { add(byte) }
        add(0xFF)
    }

    private mutating func addText(_ bytes: ArraySlice<UInt8>) {
        add(bytes.lazy.filter { !($0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D) })
    }

    private mutating func add(_ byte: UInt8) {
        state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }
}
