import APNSModel
import PayloadJSON

/// The body of a request to create a channel (docs/reference/apns.md 7.4).
enum ChannelBodyChecks {
    private static let attributeNames = ["message-storage-policy", "push-type"]
    private static let maximumDepth = 8

    static func form(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard request.kind == .createChannel else { return nil }
        let body: JSONDocument
        do throws(JSONSyntaxError) {
            body = try JSONDocument(request.body, maximumDepth: maximumDepth)
        } catch {
            let place = LineIndex(request.body).location(of: error.offset)
            return Objection(
                .badRequestPayload,
                "the body is not JSON: line \(place.line), column \(place.column): \(error.description)")
        }
        guard body.kind(of: .root) == .object else {
            return Objection(
                .badRequestPayload,
                "the body is JSON, but not an object; send {\"message-storage-policy\":0,\"push-type\":\"LiveActivity\"}"
            )
        }
        if let repeated = body.repeatedKeys(of: .root).first {
            return Objection(
                .badRequestPayload,
                "the body has the attribute \(PeerText.quoted(body.string(of: repeated) ?? "")) twice; send each once")
        }
        request.channel?.body = body
        return nil
    }

    static func attributes(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard let body = request.channel?.body else { return nil }
        for member in body.members(of: .root) {
            let name = body.string(of: member.key) ?? ""
            guard !attributeNames.contains(name) else { continue }
            return Objection(
                .badRequestParams,
                "the body has the attribute \(PeerText.quoted(name)), which is not known; known are "
                    + attributeNames.joined(separator: " and "))
        }
        return nil
    }

    /// In upper or lower case unless the settings ask for the exact form, as the header of a broadcast.
    static func pushType(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard let body = request.channel?.body else { return nil }
        guard let value = body.member("push-type", of: .root), body.kind(of: value) != .null else {
            return Objection(
                .missingPushType, "the body has no \"push-type\"; a channel has \"\(BroadcastChannel.pushType)\"")
        }
        let text = body.string(of: value)
        let isExact = world.settings.contested.pushTypeCase == .exact
        guard isExact ? text == BroadcastChannel.pushType : text?.lowercased() == BroadcastChannel.pushType.lowercased()
        else {
            return Objection(
                .invalidPushType,
                "\"push-type\" is \(PeerText.quoted(body.source(of: value))); a channel has \"\(BroadcastChannel.pushType)\" and no "
                    + "other")
        }
        return nil
    }

    static func storagePolicy(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard let body = request.channel?.body else { return nil }
        let value = body.member("message-storage-policy", of: .root)
        let number = value.flatMap { body.integer(of: $0) }.flatMap { Int(exactly: $0) }
        request.channel?.storagePolicy = number.flatMap { BroadcastChannel.StoragePolicy(rawValue: $0) }
        guard request.channel?.storagePolicy == nil else { return nil }
        return Objection(
            world.settings.contested.badStoragePolicy.reason,
            (value.map { "\"message-storage-policy\" is \(PeerText.quoted(body.source(of: $0)))" }
                ?? "the body has no \"message-storage-policy\"")
                + "; it is 0 to store nothing or 1 to store the most recent message")
    }
}
