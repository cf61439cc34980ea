package import NIOCore

/// Reads a proxy's answer to CONNECT, in pieces of any size.
///
/// Only the head is read: what follows a 2xx belongs to the tunnel, and nothing is read of a refusal's body. Interim answers
/// (1xx) are skipped.
package struct ProxyAnswer {
    package enum Progress: Hashable, Sendable {
        /// The head is not complete.
        case incomplete
        /// The tunnel is open.
        case open
        case failed(Failure)
    }

    package enum Failure: Hashable, Sendable {
        /// - Parameters:
        ///   - reason: The text after the status, without control characters; empty where there is none.
        ///   - schemes: The ways of authentication that a 407 offers, in lower case.
        case refused(status: Int, reason: String, schemes: [String])
        /// This is not HTTP/1.
        case notHTTP
        /// The head has more than `maximumBytes`.
        case tooLong
    }

    /// The heads of the answer and of the interim answers before it.
    package static let maximumBytes = 16 << 10
    private static let maximumReason = 100
    private static let maximumSchemes = 8

    private var count = 0
    private var line: [UInt8] = []
    /// Nil until the status line is complete.
    private var status: Int?
    private var reason = ""
    private var schemes: [String] = []

    package init() {}

    /// Reads up to the end of the head, and leaves the rest in `bytes`. Call it no more after it has returned anything but
    /// `incomplete`.
    package mutating func receive(_ bytes: inout ByteBuffer) -> Progress {
        while let byte = bytes.readInteger(as: UInt8.self) {
            count += 1
            guard count <= ProxyAnswer.maximumBytes else { return .failed(.tooLong) }
            guard byte == 0x0a else {
                line.append(byte)
                // A peer with another protocol is found at its first byte: it may send no line at all.
                if status == nil, !ProxyAnswer.isStart(line) { return .failed(.notHTTP) }
                continue
            }
            if line.last == 0x0d { line.removeLast() }
            let progress = endLine()
            line.removeAll(keepingCapacity: true)
            if progress != .incomplete { return progress }
        }
        return .incomplete
    }

    private static func isStart(_ line: [UInt8]) -> Bool {
        let start: StaticString = "HTTP/1."
        let known = UnsafeBufferPointer(start: start.utf8Start, count: start.utf8CodeUnitCount)
        return line.prefix(known.count).elementsEqual(known.prefix(line.count))
    }

    private mutating func endLine() -> Progress {
        guard let status else { return takeStatusLine() }
        guard line.isEmpty else {
            takeField()
            return .incomplete
        }
        switch status {
        case 101: return .failed(.refused(status: status, reason: reason, schemes: []))
        case 100..<200:
            self.status = nil
            return .incomplete
        case 200..<300: return .open
        default: return .failed(.refused(status: status, reason: reason, schemes: status == 407 ? schemes : []))
        }
    }

    /// Reads `HTTP/1.1 200 Connection established`; the text after the status may be absent.
    private mutating func takeStatusLine() -> Progress {
        let parts = line.split(separator: 0x20, maxSplits: 2)
        guard parts.count >= 2, parts[0].count == 8, ProxyAnswer.isDigit(parts[0].last), parts[1].count == 3,
            parts[1].allSatisfy({ ProxyAnswer.isDigit($0) }), parts[1].first != 0x30
        else { return .failed(.notHTTP) }
        status = parts[1].reduce(0) { $0 * 10 + Int($1) - 0x30 }
        let text = parts.count > 2 ? parts[2].prefix(ProxyAnswer.maximumReason) : []
        reason = String(decoding: text.filter { (0x20...0x7e).contains($0) }, as: UTF8.self)
        return .incomplete
    }

    /// Reads the scheme of a field `proxy-authenticate`, such as `Basic realm="x"`.
    private mutating func takeField() {
        guard let colon = line.firstIndex(of: 0x3a), schemes.count < ProxyAnswer.maximumSchemes,
            String(decoding: line[..<colon], as: UTF8.self).lowercased() == "proxy-authenticate"
        else { return }
        let scheme = line[line.index(after: colon)...].drop { $0 == 0x20 || $0 == 0x09 }.prefix {
            ProxyAnswer.isWord($0)
        }
        guard (1...30).contains(scheme.count) else { return }
        schemes.append(String(decoding: scheme, as: UTF8.self).lowercased())
    }

    private static func isDigit(_ byte: UInt8?) -> Bool { byte.map { (0x30...0x39).contains($0) } ?? false }

    private static func isWord(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x61...0x7a).contains(byte | 0x20) || byte == UInt8(ascii: "-")
    }
}
