import APNSModel
import Testing

@testable import HTTP2Session

struct FloodGuardTests {
    private var limits: HTTP2Limits {
        HTTP2Limits(
            resets: .init(burst: 3, perSecond: 10), pings: .init(burst: 2, perSecond: 1),
            settings: .init(burst: 2, perSecond: 1), emptyData: .init(burst: 2, perSecond: 1),
            windowUpdates: .init(burst: 20, perSecond: 1), others: .init(burst: 2, perSecond: 1))
    }

    private func frame(_ type: UInt8, flags: UInt8 = 0, length: Int = 0) -> [UInt8] {
        [UInt8(length >> 16), UInt8(length >> 8 & 255), UInt8(length & 255), type, flags, 0, 0, 0, 1]
            + [UInt8](repeating: 0xAA, count: length)
    }

    /// The first limit that the frames exceed, with its place in the list.
    private func first(_ frames: [[UInt8]], isServer: Bool = false) -> (place: Int, flood: FrameViolation)? {
        var flood = FloodGuard(limits: limits, isServer: isServer)
        for (place, frame) in frames.enumerated() {
            if let found = frame.withUnsafeBytes({ flood.inspect($0, at: .zero) }) { return (place, found) }
        }
        return nil
    }

    @Test(
        arguments: [
            (3, 0, 4, .resets, 3), (4, 0, 6, .settings, 2), (6, 0, 8, .pings, 2), (0, 0, 0, .emptyData, 2),
            (2, 0, 5, .others, 2), (8, 0, 4, .windowUpdates, 20), (7, 0, 8, .goAways, 100), (0x42, 0, 0, .others, 2),
        ] as [(UInt8, UInt8, Int, FrameViolation, Int)])
    func `each kind of frame has its limit`(type: UInt8, flags: UInt8, length: Int, flood: FrameViolation, burst: Int) {
        let frames = [[UInt8]](repeating: frame(type, flags: flags, length: length), count: burst + 1)
        let found = first(frames)
        #expect(found?.place == burst && found?.flood == flood)
        #expect(first(Array(frames.dropLast())) == nil)
    }

    @Test func `DATA with bytes or with the end of its stream is no flood, and neither are HEADERS`() {
        for frame in [frame(0, length: 1), frame(0, flags: 1), frame(1, length: 9)] {
            #expect(first([[UInt8]](repeating: frame, count: 1000)) == nil)
        }
    }

    @Test func `frames with data earn WINDOW_UPDATE frames, up to a burst`() {
        let update = frame(8, length: 4)
        for earning in [frame(0, length: 1), frame(1, length: 9)] {
            let round = [earning] + [[UInt8]](repeating: update, count: limits.windowUpdatesForData)
            #expect(first(Array(repeatElement(round, count: 1000).joined())) == nil)
            #expect(first(Array(repeatElement(round + [update], count: 1000).joined()))?.flood == .windowUpdates)
            let savings = [[UInt8]](repeating: earning, count: 1000)
            #expect(first(savings + [[UInt8]](repeating: update, count: 21))?.place == 1020)
        }
        #expect(first([frame(0, flags: 1)] + [[UInt8]](repeating: update, count: 21))?.flood == .windowUpdates)
    }

    @Test func `the places of heads that are whole, without padding and not too large are known`() {
        func heads(_ bytes: [UInt8], isServer: Bool = true) -> [Range<Int>] {
            var guardian = FloodGuard(limits: limits, isServer: isServer)
            let preface = isServer ? 24 : 0
            _ = ([UInt8](repeating: 0, count: preface) + bytes).withUnsafeBytes { guardian.inspect($0, at: .zero) }
            return guardian.heads.map { ($0.lowerBound - preface)..<($0.upperBound - preface) }
        }
        let head = frame(1, flags: 4, length: 10)
        #expect(heads(head) == [0..<19])
        #expect(heads(head, isServer: false) == [])
        #expect(heads(Array(head.dropLast())) == [])
        #expect(heads(frame(1, flags: 12, length: 10)) == [])  // padding
        #expect(heads(frame(1, length: 10)) == [])  // CONTINUATION follows
        #expect(heads(frame(1, flags: 4, length: 16384)) == [0..<16393])
        #expect(heads(frame(1, flags: 4, length: 16385)) == [])
    }

    @Test func `CONTINUATION frames are counted for each header block, and so are their bytes`() {
        let (start, next) = (frame(1, length: 10), frame(9, length: 10))
        let most = [start] + [[UInt8]](repeating: next, count: limits.continuations)
        #expect(first(most + most) == nil)
        #expect(first(most + [next])?.flood == .continuations)
        #expect(first([start, frame(9, length: limits.headerBlockBytes - 10)]) == nil)
        #expect(first([start, frame(9, length: limits.headerBlockBytes - 9)])?.flood == .continuations)
    }

    @Test func `the first PUSH_PROMISE of a server ends the connection, that of a client is left to nghttp2`() {
        #expect(first([frame(5, length: 20)])?.flood == .pushPromise)
        #expect(FrameViolation.pushPromise.code == .protocolError)
        #expect(first([Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8), frame(5, length: 20)], isServer: true) == nil)
    }

    @Test func `an allowance returns with time, up to its burst`() {
        var flood = FloodGuard(limits: limits, isServer: false)
        // Without a payload, so that the guard can be asked again after it has found a flood.
        let reset = frame(3)
        func accepted(atMilliseconds milliseconds: Int64) -> Int {
            let now = MonotonicTime(nanoseconds: milliseconds * 1_000_000)
            return (0..<10).prefix { _ in reset.withUnsafeBytes { flood.inspect($0, at: now) } == nil }.count
        }
        #expect(accepted(atMilliseconds: 0) == 3)
        #expect(accepted(atMilliseconds: 99) == 0)
        #expect(accepted(atMilliseconds: 250) == 2)
        #expect(accepted(atMilliseconds: 100_000) == 3)
    }

    @Test func `frames are found wherever the bytes are cut, after the preface of a client`() {
        let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
        let bytes = preface + frame(4) + frame(0, length: 300) + frame(6, length: 8) + frame(6, length: 8) + frame(6)
        #expect(first([bytes], isServer: true)?.flood == .pings)
        #expect(first(bytes.map { [$0] }, isServer: true)?.flood == .pings)
        // The header of the last frame is complete with its last byte, and no byte before it counts as one.
        #expect(first(bytes.map { [$0] }, isServer: true)?.place == bytes.count - 1)
        for cut in bytes.indices {
            #expect(first([Array(bytes[..<cut]), Array(bytes[cut...])], isServer: true)?.flood == .pings)
        }
    }
}
