import APNSProvider

/// Frames that break a rule, and floods of frames that break none.
extension HostileCase {
    private static let lost = "before the answer came; the notification may have been delivered"
    private static let noAnswer = "no answer came before the deadline; the notification may have been delivered"

    private static let silent = Ending(
        .unknown(.connectionLost), "the gateway did not answer a PING \(lost)", .silence, kept: false)

    private static func broken(_ code: String) -> Ending {
        Ending(.unknown(.connectionLost), "the peer broke HTTP/2: … (\(code)) \(lost)", kept: false)
    }

    static let frames: [HostileCase] = [
        HostileCase("DATA on stream 0", .sending(WireFrame.data(0, "x")), broken("PROTOCOL_ERROR")),
        HostileCase(
            "HEADERS on stream 0", .sending(WireFrame.head(0, [(":status", "200")])), broken("PROTOCOL_ERROR")),
        HostileCase("RST_STREAM on stream 0", .sending(WireFrame.reset(0, 8)), broken("PROTOCOL_ERROR")),
        HostileCase(
            "RST_STREAM of a stream that was never opened", .sending(WireFrame.reset(99, 8)),
            broken("PROTOCOL_ERROR")),
        HostileCase(
            "an answer on a stream that was never opened", .sending(WireFrame.answer(99)), broken("PROTOCOL_ERROR")),
        HostileCase("an answer on an even stream", .sending(WireFrame.answer(2)), broken("PROTOCOL_ERROR")),
        HostileCase(
            "an unknown frame, ALTSVC, ORIGIN and PRIORITY, then the answer",
            .answering { stream in
                WireFrame.frame(0x42, flags: 255, stream: stream, [1, 2, 3])
                    + WireFrame.frame(10, [0, 1, 0x61, 0x62]) + WireFrame.frame(12, [0, 1, 0x61])
                    + WireFrame.frame(2, stream: stream, [0, 0, 0, 0, 5]) + WireFrame.answer(stream)
            }, Ending(.accepted)),
        HostileCase(
            "a frame of 16,385 bytes",
            .answering { WireFrame.frame(0, stream: $0, [UInt8](repeating: 0, count: 16385)) },
            broken("FRAME_SIZE_ERROR")),
        HostileCase(
            "an unknown frame of 16,777,215 bytes, cut", .sending([255, 255, 255, 0x42, 0, 0, 0, 0, 0]),
            broken("FRAME_SIZE_ERROR")),
        HostileCase(
            "PING of 7 bytes", .sending(WireFrame.frame(6, [0, 0, 0, 0, 0, 0, 0])), broken("FRAME_SIZE_ERROR")),
        HostileCase(
            "answers to PINGs that were not sent",
            .answering { WireFrame.ping(isAcknowledgement: true, [1, 1, 1, 1, 1, 1, 1, 1]) + WireFrame.answer($0) },
            Ending(.accepted)),
        HostileCase(
            "more padding than frame",
            .answering {
                WireFrame.head($0, [(":status", "200")], ends: false)
                    + WireFrame.frame(0, flags: 9, stream: $0, [200, 0, 0])
            }, Ending(.accepted, kept: false)),
        HostileCase(
            "nothing but padding",
            .answering {
                WireFrame.head($0, [(":status", "200")], ends: false)
                    + WireFrame.frame(0, flags: 9, stream: $0, [255] + [UInt8](repeating: 7, count: 255))
            }, Ending(.accepted)),
        HostileCase(
            "WINDOW_UPDATE over 2³¹ − 1 for the connection",
            .sending(WireFrame.windowUpdate(0, 0x7fff_ffff) + WireFrame.windowUpdate(0, 0x7fff_ffff)),
            broken("FLOW_CONTROL_ERROR")),
        HostileCase(
            "WINDOW_UPDATE over 2³¹ − 1 for the stream",
            .answering { WireFrame.windowUpdate($0, 0x7fff_ffff) + WireFrame.windowUpdate($0, 0x7fff_ffff) },
            Ending(
                .unknown(.streamReset),
                "the answer broke HTTP/2, so its stream was reset here (FLOW_CONTROL_ERROR)…")),
        HostileCase("WINDOW_UPDATE of 0", .sending(WireFrame.windowUpdate(0, 0)), broken("PROTOCOL_ERROR")),
        HostileCase(
            "PUSH_PROMISE",
            .answering { WireFrame.pushPromise($0, 2) }, broken("PROTOCOL_ERROR")),
        HostileCase(
            "CONTINUATION without HEADERS", .answering { WireFrame.frame(9, flags: 4, stream: $0) },
            broken("PROTOCOL_ERROR")),
        HostileCase(
            "a head that another frame interrupts",
            .answering {
                WireFrame.frame(1, stream: $0, WireFrame.block([(":status", "200")])) + WireFrame.ping()
            }, broken("PROTOCOL_ERROR")),
        HostileCase(
            "a head that never ends",
            HostileServer(
                atEnd: { [.send(WireFrame.frame(1, stream: $0, WireFrame.block([(":status", "200")])))] },
                answersPings: false), silent),
        HostileCase(
            "HPACK: an index outside of the table",
            .answering { WireFrame.frame(1, flags: 5, stream: $0, [0xff, 0x7f]) },
            broken("COMPRESSION_ERROR")),
        HostileCase(
            "HPACK: an integer without end",
            .answering { WireFrame.frame(1, flags: 5, stream: $0, [UInt8](repeating: 0xff, count: 100)) },
            broken("COMPRESSION_ERROR")),
        HostileCase(
            "HPACK: Huffman code with wrong padding",
            .answering { WireFrame.frame(1, flags: 5, stream: $0, [0x08, 0x83, 0, 0, 0]) },
            broken("COMPRESSION_ERROR")),
        HostileCase(
            "HPACK: a table of 1 GB",
            .answering { WireFrame.frame(1, flags: 5, stream: $0, WireFrame.integer(1 << 30, bits: 5, mark: 0x20)) },
            broken("COMPRESSION_ERROR")),
        HostileCase(
            "RST_STREAM CANCEL", .answering { WireFrame.reset($0, 8) },
            Ending(.unknown(.streamReset), "the gateway ended the stream without an answer (CANCEL)")),
        HostileCase(
            "RST_STREAM NO_ERROR", .answering { WireFrame.reset($0, 0) },
            Ending(.unknown(.streamReset), "the gateway ended the stream without an answer (NO_ERROR)")),
        HostileCase(
            "RST_STREAM with an unknown code", .answering { WireFrame.reset($0, 4242) },
            Ending(.unknown(.streamReset), "the gateway ended the stream without an answer (error code 4242)")),
        HostileCase(
            "RST_STREAM REFUSED_STREAM, each time", .answering { WireFrame.reset($0, 7) },
            Ending(
                .unsent(.deadlineExceeded),
                "the deadline passed before a stream was free: the gateway refuses streams (REFUSED_STREAM)",
                .deadline), isSentAgain: true),
        HostileCase(
            "REFUSED_STREAM after the head of an answer",
            .answering { WireFrame.head($0, [(":status", "200")], ends: false) + WireFrame.reset($0, 7) },
            Ending(.accepted)),
        HostileCase(
            "one byte of an answer each second",
            HostileServer(
                atEnd: { _ in [] },
                eachSecond: { stream, second in
                    let answer = WireFrame.answer(stream, "200", [("x", String(repeating: "y", count: 200))])
                    return second <= answer.count ? [answer[second - 1]] : []
                }, answersPings: false), silent),
        HostileCase(
            "answers to PINGs, and none to the notification", HostileServer(atEnd: { _ in [] }),
            Ending(.unknown(.deadlineExceeded), noAnswer, .deadline)),
    ]

    private static func flood(_ text: String, _ frame: Int) -> Ending {
        Ending(
            .unknown(.connectionLost), "the peer broke HTTP/2: \(text) (ENHANCE_YOUR_CALM) \(lost)", .frame(frame),
            kept: false)
    }

    static let floods: [HostileCase] = [
        HostileCase("PING", .flooding(1000) { _ in WireFrame.ping() }, flood("too many PING frames", 201)),
        HostileCase(
            "SETTINGS", .flooding(6000) { _ in WireFrame.settings([(3, 1000)]) },
            flood("too many … frames…", 4999)),
        HostileCase(
            "RST_STREAM, for the same stream",
            HostileServer(atHead: { [.flood(WireFrame.reset($0, 8), 30_000)] }),
            Ending(
                .unknown(.streamReset), "the gateway ended the stream without an answer (CANCEL)", .frame(1),
                kept: false)
        ),
        HostileCase(
            "empty DATA",
            HostileServer(atEnd: {
                [
                    .send(WireFrame.head($0, [(":status", "200")], ends: false)),
                    .flood(WireFrame.frame(0, stream: $0), 3000),
                ]
            }), Ending(.accepted, "", .frame(2001), kept: false)),
        HostileCase(
            "CONTINUATION",
            HostileServer(atEnd: {
                [
                    .send(WireFrame.frame(1, flags: 1, stream: $0, WireFrame.block([(":status", "200")]))),
                    .flood(WireFrame.frame(9, stream: $0, WireFrame.block([("x", "y")])), 100),
                ]
            }), flood("too many CONTINUATION frames", 9)),
        HostileCase(
            "WINDOW_UPDATE", .flooding(200_000) { _ in WireFrame.windowUpdate(0, 1) },
            flood("too many WINDOW_UPDATE frames for its data", 100_001)),
        HostileCase(
            "unknown frames", .flooding(200_000) { _ in WireFrame.frame(0x42, [1]) },
            flood("too many PRIORITY or unknown frames", 50_001)),
        HostileCase(
            "PRIORITY", .flooding(200_000) { WireFrame.frame(2, stream: $0, [0, 0, 0, 0, 5]) },
            flood("too many PRIORITY or unknown frames", 50_001)),
        HostileCase(
            "status 103", .flooding(1000) { WireFrame.head($0, [(":status", "103")], ends: false) },
            Ending(
                .unknown(.streamReset),
                "the answer broke HTTP/2, so its stream was reset here (INTERNAL_ERROR): more than 100 interim answers",
                .frame(101))),
        HostileCase(
            "GOAWAY", .flooding(1000) { WireFrame.goAway(last: $0) },
            Ending(
                .unknown(.connectionLost),
                "…the peer broke HTTP/2: too many GOAWAY frames (ENHANCE_YOUR_CALM) "
                    + lost, .frame(101), kept: false)),
        HostileCase(
            "PUSH_PROMISE without an acknowledgement of the client's SETTINGS",
            HostileServer(
                opening: [.send(WireFrame.settings())],
                atEnd: { stream in
                    [
                        .send(
                            (1...1000).flatMap { number in
                                WireFrame.pushPromise(stream, Int32(2 * number))
                                    + WireFrame.head(Int32(2 * number), [(":status", "200")], ends: false)
                            })
                    ]
                }),
            Ending(
                .unknown(.connectionLost),
                "the peer broke HTTP/2: PUSH_PROMISE, although this side has turned push off (PROTOCOL_ERROR) \(lost)",
                kept: false)),
    ]
}
