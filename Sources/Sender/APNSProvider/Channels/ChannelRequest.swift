import APNSModel
import PayloadJSON

/// A request about the channels of an app (docs/reference/apns.md 7.4).
struct ChannelRequest {
    enum Action {
        case create(APNSChannel.Storage)
        case read(ChannelID)
        case delete(ChannelID)
        case list
    }

    let action: Action
    let app: Topic
    let id: NotificationID

    var method: String {
        switch action {
        case .create: "POST"
        case .read, .list: "GET"
        case .delete: "DELETE"
        }
    }

    var path: String {
        if case .list = action { return "/1/apps/\(app.bundleID)/all-channels" }
        return "/1/apps/\(app.bundleID)/channels"
    }

    /// The header `apns-channel-id`.
    var channelID: ChannelID? {
        switch action {
        case .read(let id), .delete(let id): id
        case .create, .list: nil
        }
    }

    var body: [UInt8] {
        guard case .create(let storage) = action else { return [] }
        return Array(#"{"message-storage-policy":\#(storage.rawValue),"push-type":"LiveActivity"}"#.utf8)
    }

    /// Whether the request does no harm when it is processed twice.
    var isRepeatable: Bool {
        if case .create = action { false } else { true }
    }

    static let acceptedStatuses = 200..<300
}

extension Answer {
    /// What makes an answer unreadable, as the end of a sentence that begins with the answer.
    struct Unreadable: Error, Hashable {
        let description: String
    }

    /// The id of the channel that was created.
    func createdChannel() throws(Unreadable) -> ChannelID {
        guard let text = head.channelID else { throw Unreadable(description: "has no apns-channel-id") }
        guard let id = ChannelID(text) else {
            throw Unreadable(description: "has an apns-channel-id that is not base64")
        }
        return id
    }

    func channel(_ id: ChannelID) throws(Unreadable) -> APNSChannel {
        let document = try object()
        guard
            let policy = document.member("message-storage-policy", of: .root).flatMap({ document.integer(of: $0) }),
            let number = Int(exactly: policy)
        else { throw Unreadable(description: "has no number as message-storage-policy") }
        guard let pushType = document.member("push-type", of: .root).flatMap({ document.string(of: $0) }) else {
            throw Unreadable(description: "has no push-type")
        }
        return APNSChannel(id: id, storage: APNSChannel.Storage(rawValue: number), pushType: pushType)
    }

    func channels() throws(Unreadable) -> [ChannelID] {
        let document = try object()
        guard let list = document.member("channels", of: .root), document.kind(of: list) == .array else {
            throw Unreadable(description: "has no list of channels")
        }
        var ids: [ChannelID] = []
        for element in document.elements(of: list) {
            guard let id = document.string(of: element).flatMap({ ChannelID($0) }) else {
                throw Unreadable(description: "has a channel id that is not base64, at position \(ids.count)")
            }
            ids.append(id)
        }
        return ids
    }

    private func object() throws(Unreadable) -> JSONDocument {
        guard let document = try? JSONDocument(body, maximumDepth: 8), document.kind(of: .root) == .object else {
            throw Unreadable(description: "is not a JSON object")
        }
        return document
    }
}

/// A request without a device token, and the answer to it.
///
/// @unchecked: the answer is confined to the event loop of its submission, and does not change after the outcome is handed out.
final class ChannelExchange: @unchecked Sendable {
    enum Request {
        case broadcast(APNSBroadcast)
        case management(ChannelRequest)
    }

    let request: Request
    /// Of a request that was accepted.
    var answer: Answer?

    init(_ request: Request) { self.request = request }

    /// Whether a status of an answer says that the request was accepted. A channel that was created is answered with 201,
    /// one that was deleted with 204.
    func isAccepted(_ status: Int) -> Bool {
        if case .management = request { ChannelRequest.acceptedStatuses.contains(status) } else { status == 200 }
    }
}
