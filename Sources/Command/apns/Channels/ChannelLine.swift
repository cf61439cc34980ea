import APNSModel
import APNSProvider
import PayloadJSON

/// A channel as the subcommands of `apns channels` print it.
enum ChannelLine {
    static func json(_ channel: APNSChannel) -> String {
        #"{"apns-channel-id":\#(JSONWriter.quoted(channel.id.base64)),"#
            + #""message-storage-policy":\#(channel.storage.rawValue),"push-type":\#(JSONWriter.quoted(channel.pushType))}"#
    }

    static func json(_ id: ChannelID) -> String { #"{"apns-channel-id":\#(JSONWriter.quoted(id.base64))}"# }

    static func text(_ channel: APNSChannel) -> String {
        let storage =
            switch channel.storage {
            case .nothing: "stores nothing"
            case .mostRecentMessage: "stores the most recent message"
            default: "has the storage policy \(channel.storage.rawValue)"
            }
        return "\(channel.id) \(storage), for the push type \(PlainText.safe(ShownText.cut(channel.pushType, to: 80)))"
    }
}
