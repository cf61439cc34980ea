import APNSModel
import APNSTransport
import HTTP2Session

/// Requests that are not for a device: they carry `apns-request-id` instead of `apns-id`, and no topic.
extension ProviderLoop {
    func requestAboutChannels(
        _ channels: ChannelExchange, requestID: String, authority: [UInt8], authorization: [UInt8]?,
        on connection: Connection<ProviderConnectionDelegate>
    ) throws(HTTP2Error) -> HTTP2Stream {
        let (method, path, channelID, body): (String, String, ChannelID?, [UInt8])
        var broadcast: APNSBroadcast?
        switch channels.request {
        case .broadcast(let message):
            broadcast = message
            (method, path) = ("POST", "/4/broadcasts/apps/\(message.app.bundleID)")
            (channelID, body) = (message.channelID, message.payload)
        case .management(let request):
            (method, path, channelID, body) = (request.method, request.path, request.channelID, request.body)
        }
        return try connection.http2.request(body: body) { fields in
            fields.add(":method", method)
            fields.add(":scheme", "https")
            fields.add(":path", path)
            fields.add(":authority", authority)
            if let authorization { fields.add("authorization", authorization) }
            if let channelID { fields.add("apns-channel-id", channelID.base64) }
            if let broadcast {
                fields.add("apns-push-type", broadcast.pushType.rawValue)
                fields.add("apns-priority", broadcast.priority.rawValue)
                fields.add("apns-expiration", Int(broadcast.expiration.secondsSince1970), isIndexed: false)
            }
            fields.add("apns-request-id", requestID, isIndexed: false)
        }
    }
}
