import APNSModel
import APNSProvider
import Testing

@testable import apns

struct ChannelLineTests {
    private static func channel(_ policy: Int, _ pushType: String = "LiveActivity") -> APNSChannel {
        APNSChannel(
            id: ChannelID("YQ==")!, storage: APNSChannel.Storage(rawValue: policy), pushType: pushType)
    }

    @Test func `a channel is shown with what it stores`() {
        #expect(ChannelLine.text(Self.channel(0)) == "YQ== stores nothing, for the push type LiveActivity")
        #expect(
            ChannelLine.text(Self.channel(1)) == "YQ== stores the most recent message, for the push type LiveActivity")
        #expect(ChannelLine.text(Self.channel(7, "a\u{1b}[2J")).contains("policy 7"))
        #expect(!ChannelLine.text(Self.channel(7, "a\u{1b}[2J")).contains("\u{1b}"))
        #expect(
            ChannelLine.json(Self.channel(1, "a\"b"))
                == #"{"apns-channel-id":"YQ==","message-storage-policy":1,"push-type":"a\"b"}"#)
        #expect(ChannelLine.json(ChannelID("YQ==")!) == #"{"apns-channel-id":"YQ=="}"#)
    }
}
