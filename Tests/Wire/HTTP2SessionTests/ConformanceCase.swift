import CNghttp2
import HTTP2Session
import Testing

/// Frames that break a rule of HTTP/2, and what a server must do. The cases are those of h2spec 2.6, with its numbers.
struct ConformanceCase: Sendable, CustomTestStringConvertible {
    enum Outcome: Sendable {
        /// GOAWAY with one of the codes.
        case connectionError
        /// RST_STREAM or GOAWAY with one of the codes.
        case streamError
        /// Neither.
        case accepted
    }

    /// nghttp2 1.52 checks the priorities of RFC 7540, which RFC 9113 deprecates; 1.70 ignores them.
    static var checksPriorities: Bool { NGHTTP2_VERSION_NUM < 0x014100 }

    let number: String
    let frames: [[UInt8]]
    let outcome: Outcome
    /// Not in the enum: LeakSanitizer does not find an array whose pointer has the bits of a case.
    var codes: [HTTP2ErrorCode] = []
    /// Whether the server answers requests that are complete.
    var answers = true

    var testDescription: String { number }

    private static func connection(
        _ number: String, _ codes: HTTP2ErrorCode..., answers: Bool = true, frames: [[UInt8]]
    ) -> ConformanceCase {
        ConformanceCase(number: number, frames: frames, outcome: .connectionError, codes: codes, answers: answers)
    }

    private static func stream(
        _ number: String, _ codes: HTTP2ErrorCode..., answers: Bool = true, frames: [[UInt8]]
    ) -> ConformanceCase {
        ConformanceCase(number: number, frames: frames, outcome: .streamError, codes: codes, answers: answers)
    }

    static let all = (states + framing + settings + messages).filter {
        checksPriorities || !["5.3.1/2", "6.3/1"].contains($0.number)
    }

    // MARK: Frames

    private enum Kind {
        static let data: UInt8 = 0
        static let headers: UInt8 = 1
        static let priority: UInt8 = 2
        static let reset: UInt8 = 3
        static let settings: UInt8 = 4
        static let pushPromise: UInt8 = 5
        static let ping: UInt8 = 6
        static let goAway: UInt8 = 7
        static let windowUpdate: UInt8 = 8
        static let continuation: UInt8 = 9
    }

    private static func head(_ stream: Int32 = 1, ends: Bool = true, extra: [UInt8] = []) -> [UInt8] {
        frame(type: Kind.headers, flags: ends ? 5 : 4, stream: stream, payload: requestHead + extra)
    }

    private static func data(_ stream: Int32 = 1, ends: Bool = true) -> [UInt8] {
        frame(type: Kind.data, flags: ends ? 1 : 0, stream: stream, payload: Array("test".utf8))
    }

    private static func reset(_ stream: Int32 = 1) -> [UInt8] {
        frame(type: Kind.reset, stream: stream, payload: [0, 0, 0, 8])
    }

    private static func continuation(_ stream: Int32 = 1, ends: Bool = true) -> [UInt8] {
        frame(type: Kind.continuation, flags: ends ? 4 : 0, stream: stream, payload: field("a", "b"))
    }

    private static func priority(_ stream: Int32, on other: UInt8) -> [UInt8] {
        frame(type: Kind.priority, stream: stream, payload: [0, 0, 0, other, 15])
    }

    /// A literal field that HPACK does not index.
    private static func field(_ name: String, _ value: String) -> [UInt8] {
        [0, UInt8(name.utf8.count)] + Array(name.utf8) + [UInt8(value.utf8.count)] + Array(value.utf8)
    }

    private static func setting(_ identifier: UInt8, _ value: UInt32) -> [UInt8] {
        frame(
            type: Kind.settings, payload: [0, identifier] + withUnsafeBytes(of: value.bigEndian) { Array($0) })
    }

    private static func windowUpdate(_ stream: Int32, _ bytes: UInt32) -> [UInt8] {
        frame(
            type: Kind.windowUpdate, stream: stream, payload: withUnsafeBytes(of: bytes.bigEndian) { Array($0) })
    }

    // MARK: Section 5, the states of streams

    private static let states: [ConformanceCase] = [
        connection("5.1/1", .protocolError, frames: [data()]),
        connection("5.1/2", .protocolError, frames: [reset()]),
        connection("5.1/3", .protocolError, frames: [windowUpdate(1, 100)]),
        connection("5.1/4", .protocolError, frames: [continuation()]),
        stream("5.1/5", .streamClosed, answers: false, frames: [head(), data()]),
        stream("5.1/6", .streamClosed, answers: false, frames: [head(), head()]),
        connection("5.1/7", .streamClosed, .protocolError, answers: false, frames: [head(), continuation()]),
        stream("5.1/8", .streamClosed, frames: [head(ends: false), reset(), data()]),
        stream("5.1/9", .streamClosed, frames: [head(ends: false), reset(), head()]),
        connection("5.1/10", .streamClosed, .protocolError, frames: [head(ends: false), reset(), continuation()]),
        connection("5.1/11", .streamClosed, frames: [head(), data()]),
        connection("5.1/12", .streamClosed, frames: [head(), head()]),
        connection("5.1/13", .streamClosed, .protocolError, frames: [head(), continuation()]),
        connection("5.1.1/1", .protocolError, frames: [head(2)]),
        connection("5.1.1/2", .protocolError, frames: [head(5), head(3)]),
        stream(
            "5.1.2/1", .refusedStream, .protocolError, answers: false, frames: (0...10).map { head(1 + 2 * $0) }),
        stream(
            "5.3.1/1", .protocolError,
            frames: [frame(type: Kind.headers, flags: 0x25, stream: 1, payload: [0, 0, 0, 1, 15] + requestHead)]),
        stream("5.3.1/2", .protocolError, frames: [priority(1, on: 1)]),
        ConformanceCase(
            number: "5.5/1", frames: [frame(type: 0x16, stream: 0, payload: [1]), head()], outcome: .accepted),
        connection(
            "5.5/2", .protocolError,
            frames: [
                frame(type: Kind.headers, stream: 1, payload: requestHead), frame(type: 0x16, stream: 0, payload: [1]),
            ]),
    ]

    // MARK: Sections 4 and 6, frames

    private static let framing: [ConformanceCase] = [
        stream(
            "4.2/2", .frameSizeError,
            frames: [
                head(ends: false),
                frame(type: Kind.data, flags: 1, stream: 1, payload: [UInt8](repeating: 0, count: 16385)),
            ]),
        connection(
            "4.3/1", .compressionError, frames: [frame(type: Kind.headers, flags: 5, stream: 1, payload: [0x7f])]),
        connection(
            "4.3/2", .protocolError,
            frames: [frame(type: Kind.headers, stream: 1, payload: requestHead), priority(1, on: 0)]),
        connection(
            "4.3/3", .protocolError,
            frames: [frame(type: Kind.headers, stream: 1, payload: requestHead), head(3)]),
        connection("6.1/1", .protocolError, frames: [data(0)]),
        stream("6.1/2", .streamClosed, frames: [head(), data()]),
        connection(
            "6.1/3", .protocolError,
            frames: [head(ends: false), frame(type: Kind.data, flags: 9, stream: 1, payload: [6, 0, 0, 0, 0])]),
        connection("6.2/3", .protocolError, frames: [head(0)]),
        connection(
            "6.2/4", .protocolError,
            frames: [frame(type: Kind.headers, flags: 0xd, stream: 1, payload: [30] + requestHead)]),
        connection("6.3/1", .protocolError, frames: [priority(0, on: 1)]),
        stream(
            "6.3/2", .frameSizeError,
            frames: [head(ends: false), frame(type: Kind.priority, stream: 1, payload: [0x80, 0, 0, 1])]),
        connection("6.4/1", .protocolError, frames: [reset(0)]),
        connection(
            "6.4/3", .frameSizeError,
            frames: [head(ends: false), frame(type: Kind.reset, stream: 1, payload: [0, 0, 0])]),
        connection("6.7/3", .protocolError, frames: [frame(type: Kind.ping, stream: 1, payload: Array(0..<8))]),
        connection("6.7/4", .frameSizeError, frames: [frame(type: Kind.ping, payload: Array(0..<6))]),
        connection(
            "6.8/1", .protocolError,
            frames: [frame(type: Kind.goAway, stream: 1, payload: Array(repeating: 0, count: 8))]),
        connection("6.9/1", .protocolError, frames: [windowUpdate(0, 0)]),
        stream("6.9/2", .protocolError, frames: [head(ends: false), windowUpdate(1, 0)]),
        connection("6.9/3", .frameSizeError, frames: [frame(type: Kind.windowUpdate, payload: [0, 0, 1])]),
        connection(
            "6.9.1/2", .flowControlError, frames: [windowUpdate(0, 0x7fff_ffff), windowUpdate(0, 0x7fff_ffff)]),
        stream(
            "6.9.1/3", .flowControlError,
            frames: [head(ends: false), windowUpdate(1, 0x7fff_ffff), windowUpdate(1, 0x7fff_ffff)]),
        connection(
            "6.10/2", .protocolError,
            frames: [
                frame(type: Kind.headers, stream: 1, payload: requestHead), continuation(ends: false), data(),
            ]),
        connection("6.10/3", .protocolError, frames: [head(ends: false), continuation(0)]),
        connection("6.10/4", .protocolError, frames: [head(ends: false), continuation()]),
        connection(
            "6.10/5", .protocolError,
            frames: [
                frame(type: Kind.headers, stream: 1, payload: requestHead), continuation(), continuation(),
            ]),
        connection("6.10/6", .protocolError, frames: [head(ends: false), data(ends: false), continuation()]),
        connection(
            "8.2/1", .protocolError,
            frames: [frame(type: Kind.pushPromise, flags: 4, stream: 1, payload: [0, 0, 0, 3] + requestHead)]),
    ]

    private static let settings: [ConformanceCase] = [
        connection("6.5/1", .frameSizeError, frames: [frame(type: Kind.settings, flags: 1, payload: [0])]),
        connection(
            "6.5/2", .protocolError, frames: [frame(type: Kind.settings, stream: 1, payload: [0, 3, 0, 0, 0, 9])]),
        connection("6.5/3", .frameSizeError, frames: [frame(type: Kind.settings, payload: [0, 3, 0])]),
        connection("6.5.2/1", .protocolError, frames: [setting(2, 2)]),
        connection("6.5.2/2", .flowControlError, frames: [setting(4, 0x8000_0000)]),
        connection("6.5.2/3", .protocolError, frames: [setting(5, 16383)]),
        connection("6.5.2/4", .protocolError, frames: [setting(5, 1 << 24)]),
        ConformanceCase(number: "6.5.2/5", frames: [setting(0xff, 1), head()], outcome: .accepted),
    ]

    // MARK: Section 8, messages

    private static let messages: [ConformanceCase] = [
        stream("8.1/1", .protocolError, frames: [head(ends: false), head(ends: false)]),
        stream("8.1.2/1", .protocolError, frames: [head(extra: field("X-Test", "ok"))]),
        stream("8.1.2.1/1", .protocolError, frames: [head(extra: field(":test", "ok"))]),
        stream("8.1.2.1/2", .protocolError, frames: [head(extra: field(":status", "200"))]),
        stream("8.1.2.1/4", .protocolError, frames: [head(extra: field("a", "b") + field(":path", "/"))]),
        stream("8.1.2.2/1", .protocolError, frames: [head(extra: field("connection", "keep-alive"))]),
        stream("8.1.2.2/2", .protocolError, frames: [head(extra: field("te", "trailers, deflate"))]),
        stream("8.1.2.3/5", .protocolError, frames: [head(extra: [0x83])]),
        stream(
            "8.1.2.3/4", .protocolError,
            frames: [frame(type: Kind.headers, flags: 5, stream: 1, payload: [0x83, 0x87])]),
        stream("8.1.2.6/1", .protocolError, frames: [head(ends: false, extra: field("content-length", "1")), data()]),
        stream(
            "8.1.2.6/2", .protocolError,
            frames: [head(ends: false, extra: field("content-length", "1")), data(ends: false), data()]),
    ]
}
