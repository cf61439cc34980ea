/// Frames of HTTP/2 as bytes, also such as no correct server sends.
enum WireFrame {
    static func frame(_ type: UInt8, flags: UInt8 = 0, stream: Int32 = 0, _ payload: [UInt8] = []) -> [UInt8] {
        let length = payload.count
        return [UInt8(length >> 16 & 255), UInt8(length >> 8 & 255), UInt8(length & 255), type, flags]
            + word(UInt32(bitPattern: stream)) + payload
    }

    static func word(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }

    // MARK: Frames of a connection

    static func settings(_ entries: [(UInt16, UInt32)] = []) -> [UInt8] {
        frame(4, entries.flatMap { [UInt8($0.0 >> 8), UInt8($0.0 & 255)] + word($0.1) })
    }

    static let settingsAcknowledgement = frame(4, flags: 1)

    static func ping(isAcknowledgement: Bool = false, _ payload: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]) -> [UInt8] {
        frame(6, flags: isAcknowledgement ? 1 : 0, payload)
    }

    static func goAway(last: Int32, code: UInt32 = 0, _ text: String = "") -> [UInt8] {
        frame(7, word(UInt32(bitPattern: last)) + word(code) + Array(text.utf8))
    }

    static func windowUpdate(_ stream: Int32, _ bytes: UInt32) -> [UInt8] { frame(8, stream: stream, word(bytes)) }

    // MARK: Frames of a stream

    static func data(_ stream: Int32, _ text: String, ends: Bool = true) -> [UInt8] {
        frame(0, flags: ends ? 1 : 0, stream: stream, Array(text.utf8))
    }

    static func reset(_ stream: Int32, _ code: UInt32) -> [UInt8] { frame(3, stream: stream, word(code)) }

    static func pushPromise(_ stream: Int32, _ promised: Int32) -> [UInt8] {
        let request = [(":method", "GET"), (":scheme", "https"), (":path", "/"), (":authority", "localhost")]
        return frame(5, flags: 4, stream: stream, word(UInt32(promised)) + block(request))
    }

    static func head(_ stream: Int32, _ fields: [(String, String)], ends: Bool = true) -> [UInt8] {
        frame(1, flags: ends ? 5 : 4, stream: stream, block(fields))
    }

    /// A head whose block is cut into a HEADERS frame and CONTINUATION frames.
    static func longHead(_ stream: Int32, _ fields: [(String, String)], piece: Int = 16384) -> [UInt8] {
        let block = block(fields)
        var bytes = frame(1, flags: 1, stream: stream, Array(block.prefix(piece)))
        var rest = block.dropFirst(piece)
        repeat {
            let part = rest.prefix(piece)
            rest = rest.dropFirst(piece)
            bytes += frame(9, flags: rest.isEmpty ? 4 : 0, stream: stream, Array(part))
        } while !rest.isEmpty
        return bytes
    }

    /// A whole answer.
    static func answer(
        _ stream: Int32, _ status: String = "200", _ fields: [(String, String)] = [], body: String = ""
    ) -> [UInt8] {
        head(stream, [(":status", status)] + fields, ends: body.isEmpty) + (body.isEmpty ? [] : data(stream, body))
    }

    /// A refusal with the reason `BadDeviceToken`.
    static func refusal(_ stream: Int32, _ fields: [(String, String)] = []) -> [UInt8] {
        answer(stream, "400", fields, body: #"{"reason":"BadDeviceToken"}"#)
    }

    // MARK: HPACK

    /// Literals that are not indexed, without Huffman coding.
    static func block(_ fields: [(String, String)]) -> [UInt8] {
        fields.flatMap { [0] + string($0.0) + string($0.1) }
    }

    static func string(_ text: String) -> [UInt8] { integer(text.utf8.count, bits: 7) + Array(text.utf8) }

    static func integer(_ value: Int, bits: Int, mark: UInt8 = 0) -> [UInt8] {
        let limit = 1 << bits - 1
        guard value >= limit else { return [mark | UInt8(value)] }
        var bytes = [mark | UInt8(limit)]
        var rest = value - limit
        while rest >= 128 {
            bytes.append(UInt8(rest & 127 | 128))
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}

/// Finds frames in bytes that are cut anywhere, after a client's connection preface.
struct FrameReader {
    struct Frame {
        var type: UInt8
        var flags: UInt8
        var stream: Int32
        var payload: [UInt8]
    }

    private var rest: [UInt8] = []
    private var prefaceLeft = 24

    mutating func read(_ bytes: [UInt8]) -> [Frame] {
        let skipped = min(prefaceLeft, bytes.count)
        prefaceLeft -= skipped
        rest += bytes[skipped...]
        var frames: [Frame] = []
        while rest.count >= 9 {
            let length = Int(rest[0]) << 16 | Int(rest[1]) << 8 | Int(rest[2])
            guard rest.count >= 9 + length else { break }
            let stream = rest[5..<9].reduce(0) { $0 << 8 | UInt32($1) }
            frames.append(
                Frame(
                    type: rest[3], flags: rest[4], stream: Int32(bitPattern: stream & 0x7fff_ffff),
                    payload: Array(rest[9..<(9 + length)])))
            rest.removeFirst(9 + length)
        }
        return frames
    }
}
