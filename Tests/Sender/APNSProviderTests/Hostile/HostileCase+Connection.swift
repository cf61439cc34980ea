import APNSProvider

/// How a connection begins, and how the server ends it.
extension HostileCase {
    private static let lost = "before the answer came; the notification may have been delivered"

    static let opening: [HostileCase] = [
        HostileCase(
            "nothing: neither SETTINGS nor an answer",
            HostileServer(opening: [], atEnd: { _ in [] }, answersPings: false),
            Ending(
                .unknown(.connectionLost), "the gateway did not answer a PING \(lost)", .silence, kept: false)),
        HostileCase(
            "nothing, to a sender with a client certificate",
            HostileServer(opening: [], atEnd: { _ in [] }, answersPings: false),
            Ending(
                .unsent(.deadlineExceeded),
                "the deadline passed before a stream was free: the gateway has sent no SETTINGS", .deadline,
                connects: 2),
            usesCertificate: true),
        HostileCase(
            "an answer without SETTINGS before it",
            HostileServer(opening: [], atEnd: { [.send(WireFrame.answer($0))] }),
            Ending(.unknown(.connectionLost), "the peer broke HTTP/2: … (PROTOCOL_ERROR) \(lost)", kept: false)),
        HostileCase(
            "SETTINGS that do not acknowledge the client's", .opening(WireFrame.settings()), Ending(.accepted)),
        HostileCase(
            "an acknowledgement of SETTINGS that were not sent",
            .opening(HostileServer.preface + WireFrame.settingsAcknowledgement),
            Ending(.unknown(.connectionLost), "the peer broke HTTP/2: … (PROTOCOL_ERROR) \(lost)", kept: false)),
        HostileCase(
            "an HTTP/1.1 answer within TLS", .opening(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)),
            Ending(.unknown(.connectionLost), "the peer broke HTTP/2: … \(lost)", kept: false)),
        HostileCase(
            "random bytes", .opening((0..<200).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) }),
            Ending(.unknown(.connectionLost), "the peer broke HTTP/2: … \(lost)", kept: false)),
        HostileCase(
            "SETTINGS_MAX_CONCURRENT_STREAMS 0",
            HostileServer(
                opening: [.send(WireFrame.settings([(3, 0)]) + WireFrame.settingsAcknowledgement)], atEnd: { _ in [] }),
            Ending(
                .unknown(.deadlineExceeded),
                "no answer came before the deadline; the notification may have been delivered", .deadline),
            recovers: false),
        HostileCase(
            "SETTINGS_MAX_CONCURRENT_STREAMS 0, to a sender with a client certificate",
            .opening(WireFrame.settings([(3, 0)]) + WireFrame.settingsAcknowledgement),
            Ending(
                .unsent(.deadlineExceeded),
                "the deadline passed before a stream was free: the gateway allows no stream at all", .deadline),
            usesCertificate: true, recovers: false),
        HostileCase(
            "SETTINGS_INITIAL_WINDOW_SIZE 0, and never WINDOW_UPDATE",
            .opening(WireFrame.settings([(4, 0)]) + WireFrame.settingsAcknowledgement),
            Ending(
                .unsent(.deadlineExceeded), "the deadline passed before the notification was written", .deadline),
            usesCertificate: true, recovers: false),
        HostileCase(
            "SETTINGS_INITIAL_WINDOW_SIZE 2147483648", .opening(WireFrame.settings([(4, 1 << 31)])),
            Ending(
                .unknown(.connectionLost), "the peer broke HTTP/2: … (FLOW_CONTROL_ERROR) \(lost)", kept: false)),
        HostileCase(
            "SETTINGS_MAX_FRAME_SIZE 100", .opening(WireFrame.settings([(5, 100)])),
            Ending(.unknown(.connectionLost), "the peer broke HTTP/2: … (PROTOCOL_ERROR) \(lost)", kept: false)),
        HostileCase(
            "SETTINGS_MAX_FRAME_SIZE 16777216", .opening(WireFrame.settings([(5, 1 << 24)])),
            Ending(.unknown(.connectionLost), "the peer broke HTTP/2: … (PROTOCOL_ERROR) \(lost)", kept: false)),
        HostileCase(
            "SETTINGS_HEADER_TABLE_SIZE 0", .opening(HostileServer.preface + WireFrame.settings([(1, 0)])),
            Ending(.accepted)),
        HostileCase(
            "SETTINGS_HEADER_TABLE_SIZE 4294967295",
            .opening(HostileServer.preface + WireFrame.settings([(1, .max)])), Ending(.accepted)),
        HostileCase(
            "SETTINGS_ENABLE_PUSH 1", .opening(WireFrame.settings([(2, 1)])),
            Ending(.unknown(.connectionLost), "the peer broke HTTP/2: … (PROTOCOL_ERROR) \(lost)", kept: false)),
        HostileCase(
            "SETTINGS with 2,000 entries",
            .opening(
                WireFrame.settings((0..<2000).map { (UInt16($0) + 100, 1) }) + WireFrame.settingsAcknowledgement),
            Ending(
                .unknown(.connectionLost), "the peer broke HTTP/2: … (ENHANCE_YOUR_CALM) \(lost)", kept: false)),
        HostileCase(
            "SETTINGS of 5 bytes", .opening(WireFrame.frame(4, [0, 3, 0, 0, 1])),
            Ending(
                .unknown(.connectionLost), "the peer broke HTTP/2: … (FRAME_SIZE_ERROR) \(lost)", kept: false)),
        HostileCase(
            "SETTINGS on stream 1", .opening(HostileServer.preface + WireFrame.frame(4, stream: 1)),
            Ending(.unknown(.connectionLost), "the peer broke HTTP/2: … (PROTOCOL_ERROR) \(lost)", kept: false)),
    ]

    static let ends: [HostileCase] = [
        HostileCase(
            "GOAWAY without an error, then the answer",
            .answering { WireFrame.goAway(last: $0, #"{"reason":"Shutdown"}"#) + WireFrame.answer($0) },
            Ending(.accepted, kept: false)),
        HostileCase(
            "GOAWAY below the request, then the end",
            HostileServer(atEnd: { _ in [.send(WireFrame.goAway(last: 0, #"{"reason":"Shutdown"}"#)), .close] }),
            Ending(
                .unsent(.connectionFailed),
                "the deadline passed before a connection was open: the gateway sent GOAWAY (Shutdown); …", .deadline,
                kept: false, connects: 8)),
        HostileCase(
            "GOAWAY with an unknown reason, then the end",
            HostileServer(atEnd: { [.send(WireFrame.goAway(last: $0, code: 2, #"{"reason":"Moody"}"#)), .close] }),
            Ending(
                .unknown(.connectionLost), "the gateway sent GOAWAY (Moody); the peer closed the connection \(lost)",
                kept: false)),
        HostileCase(
            "GOAWAY with an unknown error code, then the end",
            HostileServer(atEnd: { [.send(WireFrame.goAway(last: $0, code: 0xdead)), .close] }),
            Ending(
                .unknown(.connectionLost),
                "the gateway sent GOAWAY (error code 57005); the peer closed the connection \(lost)", kept: false)),
        HostileCase(
            "GOAWAY BadCertificate, then the end",
            HostileServer(
                atEnd: { [.send(WireFrame.goAway(last: $0, #"{"reason":"BadCertificate"}"#)), .close] }),
            Ending(
                .unknown(.connectionLost),
                "the gateway sent GOAWAY (BadCertificate); the peer closed the connection \(lost)", kept: false)),
        HostileCase(
            "GOAWAY with 16 KB of text, then the end",
            HostileServer(
                atEnd: {
                    [.send(WireFrame.goAway(last: $0, code: 2, String(repeating: "long ", count: 3200))), .close]
                }),
            Ending(
                .unknown(.connectionLost),
                "the gateway sent GOAWAY (INTERNAL_ERROR, long long … (1024 characters)); the peer closed the connection "
                    + lost, kept: false)),
        HostileCase(
            "GOAWAY larger than a frame may be",
            .answering { WireFrame.goAway(last: $0, code: 2, String(repeating: "x", count: 20000)) },
            Ending(
                .unknown(.connectionLost), "the peer broke HTTP/2: … (FRAME_SIZE_ERROR) \(lost)", kept: false)),
        HostileCase(
            "GOAWAY with a last stream that was never opened, then the answer",
            .answering { WireFrame.goAway(last: 0x7fff_ffff) + WireFrame.answer($0) }, Ending(.accepted, kept: false)),
        HostileCase(
            "GOAWAY twice, the second with a higher last stream",
            .answering { WireFrame.goAway(last: $0) + WireFrame.goAway(last: $0 + 2) },
            Ending(
                .unknown(.connectionLost),
                "the gateway sent GOAWAY (NO_ERROR); the peer broke HTTP/2: … (PROTOCOL_ERROR) \(lost)", kept: false)),
        HostileCase(
            "GOAWAY with an even last stream", .answering { _ in WireFrame.goAway(last: 2) },
            Ending(.unknown(.connectionLost), "the peer broke HTTP/2: … (PROTOCOL_ERROR) \(lost)", kept: false)),
        HostileCase(
            "GOAWAY above the request, and no answer",
            .answering { WireFrame.goAway(last: $0) },
            Ending(
                .unknown(.deadlineExceeded),
                "no answer came before the deadline; the notification may have been delivered", .deadline, kept: false)
        ),
        HostileCase(
            "GOAWAY of 4 bytes", .sending(WireFrame.frame(7, [0, 0, 0, 0])),
            Ending(
                .unknown(.connectionLost), "the peer broke HTTP/2: … (FRAME_SIZE_ERROR) \(lost)", kept: false)),
        HostileCase(
            "the end of the connection, without GOAWAY", HostileServer(atEnd: { _ in [.close] }),
            Ending(.unknown(.connectionLost), "the peer closed the connection \(lost)", kept: false)),
        HostileCase(
            "the head of an answer and then the end of the connection",
            HostileServer(
                atEnd: {
                    [.send(WireFrame.head($0, [(":status", "410")], ends: false)), .close]
                }), Ending(.refused, "no reason (410)", kept: false)),
    ]
}
