import APNSModel
import APNSProvider
import Testing

@testable import apns

struct BroadcastLineTests {
    private static func line(_ outcome: APNSOutcome) -> BroadcastLine {
        BroadcastLine(
            channelID: ChannelID("dHN0LXNyY2gtY2hubA==")!, requestID: "R", outcome: outcome, duration: .milliseconds(3))
    }

    @Test func `an accepted broadcast names channel and request`() {
        let line = Self.line(.accepted(apnsID: NotificationID(known: "R"), uniqueID: nil))
        #expect(line.text(style: .plain) == "✓ dHN0LXNyY2gtY2hubA== accepted  apns-request-id R")
        #expect(
            line.json
                == #"{"apns-channel-id":"dHN0LXNyY2gtY2hubA==","apns-request-id":"R","outcome":"accepted","#
                + #""status":200,"reason":null,"milliseconds":3.0}"#)
    }

    @Test func `a refusal has its reason, what to do and the wait that was asked for`() {
        let line = Self.line(
            .refused(Refusal(.channelNotRegistered, apnsID: NotificationID(known: "R"), retryAfter: .seconds(7))))
        #expect(
            line.text(style: .plain)
                == "✗ dHN0LXNyY2gtY2hubA== refused   ChannelNotRegistered (400)  apns-request-id R\n    "
                + "\(RefusalAdvice.line(for: .channelNotRegistered)); the gateway asks to wait 7.00 s")
        #expect(line.json.contains(#""status":400,"reason":"ChannelNotRegistered","retry-after":7,"#))
    }

    @Test func `where there is no answer the error has code and detail`() {
        let error = APNSSendError(.connectionLost, "a \"b\"\n", isSafeToRetry: false)
        #expect(
            Self.line(.unknown(error)).text(style: .plain).hasPrefix("? dHN0LXNyY2gtY2hubA== unknown   connection-lost")
        )
        #expect(
            Self.line(.unsent(error)).json.contains(
                #""outcome":"unsent","status":null,"reason":null,"error":"connection-lost","detail":"a \"b\"\n","#))
    }
}
