import APNSModel

extension ChannelID: Codable {
    package init(from decoder: any Decoder) throws {
        self = try decoder.checkedValue(or: "a channel id is wanted") { (text: String) in ChannelID(text) }
    }

    package func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}
