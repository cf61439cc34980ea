import APNSModel
import HTTP2Session

// Bytes of a peer, HPACK blocks among them, cut into pieces; at a server and at a client. The first byte says how they are cut.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHTTP2(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    guard let first = bytes.first else { return 0 }
    let pieces = Int(first & 0x7F) + 1
    let input = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
    if first & 0x80 == 0 {
        var preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
        preface += [0, 0, 0, 4, 0, 0, 0, 0, 0]
        run(.server, after: preface, input, cut: pieces)
    } else {
        run(.client, after: [0, 0, 0, 4, 0, 0, 0, 0, 0], input, cut: pieces)
    }
    return 0
}

private func run(_ role: HTTP2Session.Role, after preface: [UInt8], _ input: UnsafeRawBufferPointer, cut: Int) {
    do {
        var session = try HTTP2Session(role, limits: role == .server ? .server : .client)
        try session.start([])
        var preface = preface
        try preface.withUnsafeMutableBytes { try session.receive($0, at: .zero) }
        let target = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 8)
        defer { target.deallocate() }
        var position = 0
        while position < input.count {
            let end = min(position + cut, input.count)
            var piece = Array(input[position..<end])
            try piece.withUnsafeMutableBytes { try session.receive($0, at: .zero) }
            session.recycle(session.takeEvents())
            while try session.send(into: target) > 0 {}
            position = end
        }
    } catch {
        // A peer may send anything; it must only not crash.
    }
}
