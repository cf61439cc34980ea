import APNSModel
import PayloadJSON

/// What the checks have parsed so far of a broadcast, or of a request that manages channels.
struct ChannelInspection {
    /// Nil for an unknown path at a port for channels only.
    let route: ChannelRoute?
    let kind: RequestKind
    /// The app of the path, once it is a bundle id.
    var app: Topic?
    var id: ChannelID?
    var storagePolicy: BroadcastChannel.StoragePolicy?
    /// The body of a request to create a channel, once it has been read.
    var body: JSONDocument?

    /// Fails for a request that is not about channels.
    init?(_ head: RequestHead, over role: GatewayConnection.Role) {
        let route = ChannelRoute(path: head.path)
        switch role {
        case .send, .control:
            guard let route else { return nil }
            self.route = route
        case .manage: self.route = route.flatMap { $0.resource == .broadcasts ? nil : $0 }
        }
        kind = self.route?.kind(head.method) ?? .unknownChannelRequest
    }

    /// The checks for this kind of request.
    var checks: [Check] {
        switch kind {
        case .broadcast, .notification: Checks.broadcastTable
        case .createChannel, .readChannel, .listChannels, .deleteChannel, .unknownChannelRequest:
            Checks.managementTable
        }
    }
}

extension Inspection {
    var kind: RequestKind { channel?.kind ?? .notification }

    /// The id in the request, not yet parsed. A broadcast may have it in either header (docs/reference/apns.md 11, row
    /// 8).
    var givenID: String? {
        guard let channel else { return head.apnsID }
        return head.requestID ?? (channel.kind == .broadcast ? head.apnsID : nil)
    }
}
