import Testing

@testable import HTTP2Session

struct PeerStreamsTests {
    private let data: UInt8 = 0
    private let head: UInt8 = 1
    private let reset: UInt8 = 3

    @Test func `a stream takes frames until the client ends or resets it`() {
        var streams = PeerStreams()
        #expect(streams.frame(type: head, endsStream: false, id: 1) == nil)
        #expect(streams.frame(type: data, endsStream: false, id: 1) == nil)
        #expect(streams.frame(type: data, endsStream: true, id: 1) == nil)
        #expect(streams.frame(type: data, endsStream: false, id: 1) == .closedStream)
        #expect(streams.frame(type: head, endsStream: true, id: 1) == .closedStream)
        #expect(streams.frame(type: head, endsStream: false, id: 3) == nil)
        #expect(streams.frame(type: reset, endsStream: false, id: 3) == nil)
        #expect(streams.frame(type: data, endsStream: true, id: 3) == .closedStream)
    }

    @Test func `an id that was left out can neither begin nor take data`() {
        var streams = PeerStreams()
        #expect(streams.frame(type: head, endsStream: true, id: 1) == nil)
        #expect(streams.frame(type: head, endsStream: true, id: 2 * 5000 + 1) == nil)
        let between = UInt32(2 * 4999 + 1)
        #expect(streams.frame(type: head, endsStream: true, id: between) == .lowerStreamID)
        #expect(streams.frame(type: data, endsStream: true, id: between) == .closedStream)
    }

    @Test func `idle streams, even ids and what is older than the window are left to nghttp2`() {
        var streams = PeerStreams()
        #expect(streams.frame(type: data, endsStream: true, id: 1) == nil)
        #expect(streams.frame(type: reset, endsStream: false, id: 1) == nil)
        #expect(streams.frame(type: head, endsStream: true, id: 1) == nil)
        #expect(streams.frame(type: head, endsStream: true, id: 0) == nil)
        #expect(streams.frame(type: head, endsStream: true, id: 2) == nil)
        let last = UInt32(2 * PeerStreams.window + 1)
        for id in stride(from: UInt32(3), to: last, by: 2) {
            #expect(streams.frame(type: head, endsStream: true, id: id) == nil)
        }
        #expect(streams.frame(type: data, endsStream: true, id: 1) == .closedStream)
        #expect(streams.frame(type: head, endsStream: true, id: last) == nil)
        #expect(streams.frame(type: data, endsStream: true, id: 1) == nil)
        #expect(streams.frame(type: data, endsStream: true, id: 3) == .closedStream)
    }

    @Test func `the highest id does not overflow`() {
        var streams = PeerStreams()
        #expect(streams.frame(type: head, endsStream: true, id: 0x7fff_ffff) == nil)
        #expect(streams.frame(type: data, endsStream: true, id: 0x7fff_ffff) == .closedStream)
    }
}
