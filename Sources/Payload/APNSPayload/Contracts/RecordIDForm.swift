import PayloadJSON

/// Whether a string has the form of a record id (docs/reference/selective-sync.md section 5).
enum RecordIDForm: Hashable, Sendable {
    case right
    /// 18 characters of which the last three do not match the case of the others.
    case wrongSuffix
    case none

    init(_ text: String) {
        var text = text
        self = text.withUTF8 { RecordIDForm($0) }
    }

    /// Reads the bytes of the payload without a string for each id, because there may be hundreds.
    init(_ value: JSONIndex, of document: borrowing JSONDocument) {
        let range = document.range(of: value)
        guard document.kind(of: value) == .string, range.count >= 17 else {
            self = .none
            return
        }
        self = document.bytes.withUnsafeBufferPointer { bytes in
            RecordIDForm(UnsafeBufferPointer(rebasing: bytes[range.lowerBound + 1..<range.upperBound - 1]))
        }
        // An id with an escape must be decoded before it can be checked.
        if self == .none, let text = document.string(of: value), text.utf8.count < range.count - 2 {
            self = RecordIDForm(text)
        }
    }

    private init(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count == 15 || bytes.count == 18, bytes.allSatisfy(\.isLetterOrDigit) else {
            self = .none
            return
        }
        guard bytes.count == 18 else {
            self = .right
            return
        }
        for group in 0..<3 {
            var number: UInt8 = 0
            for place in 0..<5 where bytes[group * 5 + place].isCapital { number |= 1 << place }
            let letter = number < 26 ? UInt8(ascii: "A") + number : UInt8(ascii: "0") + number - 26
            guard bytes[15 + group] & ~0x20 == letter & ~0x20 else {
                self = .wrongSuffix
                return
            }
        }
        self = .right
    }
}

extension UInt8 {
    fileprivate var isCapital: Bool { self &- UInt8(ascii: "A") < 26 }

    fileprivate var isLetterOrDigit: Bool {
        (self | 0x20) &- UInt8(ascii: "a") < 26 || self &- UInt8(ascii: "0") < 10
    }
}
