import APNSProvider

/// Answers with impossible heads or bodies.
extension HostileCase {
    private static let lost = "before the answer came; the notification may have been delivered"
    private static let noAnswer = "no answer came before the deadline; the notification may have been delivered"
    private static let badDeviceToken = Ending(.refused, "BadDeviceToken (400)")

    private static func brokenAnswer(_ cause: String = "…") -> Ending {
        Ending(
            .unknown(.streamReset), "the answer broke HTTP/2, so its stream was reset here (PROTOCOL_ERROR)\(cause)")
    }

    private static func head(_ fields: (String, String)...) -> HostileServer {
        let fields = fields
        return .answering { WireFrame.head($0, fields) }
    }

    private static func impossible(_ status: Int) -> Ending {
        Ending(
            .unknown(.invalidAnswer),
            "the gateway answered with status \(status), which APNs never sends; the notification may have been "
                + "delivered")
    }

    static let heads: [HostileCase] = [
        HostileCase("no :status", head(("apns-id", "x")), brokenAnswer()),
        HostileCase("two :status fields", head((":status", "200"), (":status", "400")), brokenAnswer()),
        HostileCase(":status after other fields", head(("x", "y"), (":status", "200")), brokenAnswer()),
        HostileCase("an unknown pseudo field", head((":status", "200"), (":x", "y")), brokenAnswer()),
        HostileCase(":status 0", head((":status", "0")), brokenAnswer()),
        HostileCase(":status 000", head((":status", "000")), impossible(0)),
        HostileCase(":status 099", head((":status", "099")), impossible(99)),
        HostileCase(":status 1000", head((":status", "1000")), brokenAnswer()),
        HostileCase(":status OK", head((":status", "OK")), brokenAnswer()),
        HostileCase(":status 2é", head((":status", "2é")), brokenAnswer()),
        HostileCase(":status 204", head((":status", "204")), impossible(204)),
        HostileCase(
            ":status 301 with a location", head((":status", "301"), ("location", "https://x/")),
            Ending(.refused, "no reason (301)")),
        HostileCase(":status 999", head((":status", "999")), Ending(.refused, "no reason (999)")),
        HostileCase(
            "interim answers 100 and 103, then the answer",
            .answering {
                WireFrame.head($0, [(":status", "100")], ends: false)
                    + WireFrame.head($0, [(":status", "103"), ("link", "x")], ends: false) + WireFrame.answer($0)
            }, Ending(.accepted)),
        HostileCase(
            "an interim answer each second, and never the answer",
            HostileServer(
                atEnd: { _ in [] },
                eachSecond: { stream, _ in WireFrame.head(stream, [(":status", "103")], ends: false) }),
            Ending(.unknown(.deadlineExceeded), noAnswer, .deadline)),
        HostileCase("status 101", .answering { WireFrame.head($0, [(":status", "101")], ends: false) }, brokenAnswer()),
        HostileCase(
            "an interim answer that ends the stream", head((":status", "103")), brokenAnswer()),
        HostileCase(
            "a body in an interim answer",
            .answering { WireFrame.head($0, [(":status", "103")], ends: false) + WireFrame.data($0, "x") },
            brokenAnswer()),
        HostileCase("a header name in upper case", head((":status", "200"), ("Apns-Id", "x")), brokenAnswer()),
        HostileCase("a header value with a line end", head((":status", "200"), ("x", "a\r\nb: c")), brokenAnswer()),
        HostileCase("connection: close", head((":status", "200"), ("connection", "close")), brokenAnswer()),
        HostileCase(
            "155 KB of headers",
            .answering { stream in
                WireFrame.longHead(
                    stream,
                    [(":status", "200")] + (0..<155).map { ("x-\($0)", String(repeating: "y", count: 1000)) })
            },
            Ending(
                .unknown(.streamReset),
                "the answer broke HTTP/2, so its stream was reset here (INTERNAL_ERROR): a header list of more than 8000 bytes",
                kept: false)),
        HostileCase(
            "15 KB of headers",
            .answering { stream in
                WireFrame.head(
                    stream, [(":status", "200")] + (0..<15).map { ("x-\($0)", String(repeating: "y", count: 1000)) })
            },
            Ending(
                .unknown(.streamReset),
                "the answer broke HTTP/2, so its stream was reset here (INTERNAL_ERROR): a header list of more than 8000 bytes"
            )),
        HostileCase(
            "headers of 4 MB, compressed to 5 KB",
            .answering { stream in
                let field = [0x40] + WireFrame.string("x") + WireFrame.string(String(repeating: "y", count: 3900))
                return WireFrame.frame(
                    1, flags: 5, stream: stream,
                    WireFrame.block([(":status", "200")]) + field + [UInt8](repeating: 0xbe, count: 1000))
            },
            Ending(
                .unknown(.streamReset),
                "the answer broke HTTP/2, so its stream was reset here (INTERNAL_ERROR): a header list of more than 8000 bytes"
            )),
    ]

    static let answers: [HostileCase] = [
        HostileCase(
            "a body before the head", .answering { WireFrame.data($0, "{}") },
            Ending(.unknown(.connectionLost), "the peer broke HTTP/2: … (PROTOCOL_ERROR) \(lost)", kept: false)),
        HostileCase(
            "the answer twice", .answering { WireFrame.answer($0) + WireFrame.refusal($0) }, Ending(.accepted)),
        HostileCase(
            "two heads, the second a refusal",
            .answering {
                WireFrame.head($0, [(":status", "200")], ends: false) + WireFrame.head($0, [(":status", "400")])
            }, Ending(.accepted)),
        HostileCase(
            "trailers",
            .answering {
                WireFrame.head($0, [(":status", "400")], ends: false)
                    + WireFrame.data($0, #"{"reason":"BadDeviceToken"}"#, ends: false)
                    + WireFrame.head($0, [("x-checksum", "1")])
            }, badDeviceToken),
        HostileCase(
            "a refusal without a body", .answering { WireFrame.answer($0, "400") },
            Ending(.refused, "no reason (400)")),
        HostileCase(
            "a body that never ends",
            .answering {
                WireFrame.head($0, [(":status", "400")], ends: false)
                    + WireFrame.data($0, #"{"reason":"BadDeviceToken""#, ends: false)
            }, Ending(.refused, "no reason (400)", .deadline)),
        HostileCase(
            "a body of 10 MB",
            HostileServer(atEnd: { stream in
                [
                    .send(WireFrame.head(stream, [(":status", "400")], ends: false)),
                    .send(
                        Array(
                            repeatElement(
                                WireFrame.data(stream, String(repeating: " ", count: 16384), ends: false), count: 640
                            ).joined())),
                    .send(WireFrame.data(stream, "{}")),
                ]
            }), Ending(.refused, "no reason (400)")),
        HostileCase(
            "a refusal as HTML", .answering { WireFrame.answer($0, "502", body: "<html>Bad Gateway</html>") },
            Ending(.refused, "no reason (502)")),
        HostileCase(
            "JSON with other types",
            .answering { WireFrame.answer($0, "410", body: #"{"reason":["Unregistered"],"timestamp":"now"}"#) },
            Ending(.refused, "no reason (410)")),
        HostileCase(
            "JSON that is nested 4,000 deep",
            .answering {
                WireFrame.answer($0, "400", body: #"{"reason":"# + String(repeating: "[", count: 4000))
            }, Ending(.refused, "no reason (400)")),
        HostileCase(
            "a body that is not UTF-8",
            .answering {
                WireFrame.head($0, [(":status", "400")], ends: false)
                    + WireFrame.frame(0, flags: 1, stream: $0, Array(#"{"reason":""#.utf8) + [0xff, 0xc0, 0x22, 0x7d])
            }, Ending(.refused, "no reason (400)")),
        HostileCase(
            "a reason of 8,000 characters",
            .answering {
                WireFrame.answer($0, "400", body: #"{"reason":""# + String(repeating: "Bad", count: 2667) + #""}"#)
            }, Ending(.refused, "BadBad…Ba… (8001 characters) (400)")),
        HostileCase(
            "content-length that is too small",
            .answering { WireFrame.refusal($0, [("content-length", "3")]) }, Ending(.refused, "no reason (400)")),
        HostileCase(
            "content-length that is too large",
            .answering { WireFrame.refusal($0, [("content-length", "3000")]) },
            badDeviceToken),
        HostileCase(
            "content-length that is not a number", .answering { WireFrame.refusal($0, [("content-length", "-1")]) },
            brokenAnswer()),
        HostileCase(
            "apns-id of another notification",
            .answering { WireFrame.answer($0, "200", [("apns-id", "F47AC10B-58CC-4372-A567-0E02B2C3D479")]) },
            Ending(.accepted)),
        HostileCase(
            "apns-id that is not an id", .answering { WireFrame.refusal($0, [("apns-id", "?")]) }, badDeviceToken),
        HostileCase("no apns-id", .answering { WireFrame.answer($0) }, Ending(.accepted)),
        HostileCase(
            "retry-after that is not a number", .answering { WireFrame.refusal($0, [("retry-after", "soon")]) },
            badDeviceToken),
        HostileCase(
            "retry-after that is negative", .answering { WireFrame.refusal($0, [("retry-after", "-5")]) },
            badDeviceToken),
        HostileCase(
            "retry-after of 10¹⁰⁰ seconds",
            .answering { WireFrame.refusal($0, [("retry-after", "1" + String(repeating: "0", count: 100))]) },
            badDeviceToken),
        HostileCase(
            "the answer before the request is complete",
            HostileServer(
                opening: [.send(WireFrame.settings([(4, 0)]) + WireFrame.settingsAcknowledgement)],
                atHead: {
                    [
                        .send(
                            WireFrame.answer($0, "413", body: #"{"reason":"PayloadTooLarge"}"#) + WireFrame.reset($0, 0)
                        )
                    ]
                }),
            Ending(.refused, "PayloadTooLarge (413)"), usesCertificate: true, recovers: false),
    ]
}
