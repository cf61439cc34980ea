/// What an HTTP/2 header field can carry as its value (RFC 9113 8.2.1).
package enum HeaderValue {
    /// What makes `text` impossible as a value; nil for a value that can be sent. It does not quote the value.
    package static func problem(in text: String) -> String? {
        text.utf8.withContiguousStorageIfAvailable { problem(in: UnsafeRawBufferPointer($0)) }
            ?? Array(text.utf8).withUnsafeBytes { problem(in: $0) }
    }

    private static func problem(in bytes: UnsafeRawBufferPointer) -> String? {
        guard let first = bytes.first, let last = bytes.last else { return nil }
        if let control = bytes.first(where: { $0 < 0x20 && $0 != tab || $0 == 0x7f }) {
            switch control {
            case 0x0a: return "has a line feed"
            case 0x0d: return "has a carriage return"
            default: return "has a control character"
            }
        }
        return isSpace(first) || isSpace(last) ? "begins or ends with white space" : nil
    }

    private static let tab: UInt8 = 0x09

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == tab }
}
