import APNSModel
import Testing

@testable import APNSProvider
@testable import apns

struct ExchangeTextTests {
    @Test func `each event has lines with a sign for its direction, and no token is whole`() throws {
        let request = ExchangeEvent.Request(
            notification: try NotificationPreviewTests.notification(), apnsID: "8e2a5c0b", isAuthorized: true)
        let events: [ExchangeEvent] = [
            .connecting(connection: 0, APNSGateway(host: "localhost", port: 8443)),
            .opened(
                connection: 0,
                ExchangeEvent.Facts(
                    address: "127.0.0.1:8443", tlsVersion: "TLSv1.3", cipher: "TLS_AES_128_GCM_SHA256",
                    certificateName: "a\u{1B}b", certificateEnd: 1_800_000_000)),
            .sent(connection: 0, stream: 1, request),
            .received(
                connection: 0, stream: 1,
                ExchangeEvent.Head(fields: [
                    ExchangeEvent.Field(name: ":status", value: "400"),
                    ExchangeEvent.Field(name: "apns-id", value: "8e2a5c0b\r"),
                ])),
            .body(connection: 0, stream: 1, Array(#"{"reason":"BadTopic"}"#.utf8)),
            .goAway(connection: 1, code: "noError", reason: Array(#"{"reason":"Shutdown"}"#.utf8)),
            .lost(connection: 1, "the connection was closed"),
        ]
        let text = events.map { ExchangeText.text($0) }.joined(separator: "\n")
        #expect(
            text == """
                * connecting to https://localhost:8443 (connection 1)
                * connected to 127.0.0.1:8443: TLSv1.3, TLS_AES_128_GCM_SHA256, HTTP/2, certificate of a\u{FFFD}b valid until 2027-01-15 08:00:00 UTC (connection 1)
                > POST /3/device/0000…00ab (connection 1, stream 1)
                >   authorization: bearer (not shown)
                >   apns-topic: com.example.agent
                >   apns-push-type: alert
                >   apns-id: 8e2a5c0b
                >   apns-priority: 5
                >   apns-expiration: 1800000000
                >   apns-collapse-id: visit-7
                >   body of 22 bytes
                < 400 (connection 1, stream 1)
                <   apns-id: 8e2a5c0b\u{FFFD}
                < body {"reason":"BadTopic"} (connection 1, stream 1)
                < GOAWAY noError {"reason":"Shutdown"} (connection 2)
                * connection closed: the connection was closed (connection 2)
                """)
    }
}
