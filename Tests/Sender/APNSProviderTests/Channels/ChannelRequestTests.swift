import APNSModel
import Testing

@testable import APNSProvider

struct ChannelRequestTests {
    private static let app = Topic("com.example.agent.push-type.liveactivity")!
    private static let id = ChannelID("dHN0LXNyY2gtY2hubA==")!
    private static let requestID = NotificationID("9d1f0a52-1111-4222-8333-abcdefabcdef")!

    @Test func `each action has its method, path, header and body`() {
        let create = ChannelRequest(action: .create(.mostRecentMessage), app: Self.app, id: Self.requestID)
        #expect(create.method == "POST" && create.path == "/1/apps/com.example.agent/channels")
        #expect(create.channelID == nil && !create.isRepeatable)
        #expect(
            String(decoding: create.body, as: UTF8.self)
                == #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#)
        let read = ChannelRequest(action: .read(Self.id), app: Self.app, id: Self.requestID)
        #expect(read.method == "GET" && read.path == "/1/apps/com.example.agent/channels")
        #expect(read.channelID == Self.id && read.body.isEmpty && read.isRepeatable)
        let delete = ChannelRequest(action: .delete(Self.id), app: Self.app, id: Self.requestID)
        #expect(delete.method == "DELETE" && delete.path == "/1/apps/com.example.agent/channels")
        #expect(delete.channelID == Self.id && delete.body.isEmpty && delete.isRepeatable)
        let list = ChannelRequest(action: .list, app: Self.app, id: Self.requestID)
        #expect(list.method == "GET" && list.path == "/1/apps/com.example.agent/all-channels")
        #expect(list.channelID == nil && list.body.isEmpty && list.isRepeatable)
    }

    private static func answer(_ body: String, channelID: String? = nil) -> Answer {
        Answer(head: ResponseHead(status: 200, channelID: channelID), body: Array(body.utf8))
    }

    @Test func `the id of a created channel is in the head`() throws {
        #expect(try Self.answer("", channelID: Self.id.base64).createdChannel() == Self.id)
    }

    @Test(arguments: [(nil, "no apns-channel-id"), ("", "not base64"), ("match-2026", "not base64")])
    func `a created channel without a usable id is unreadable`(text: String?, words: String) {
        let error = #expect(throws: Answer.Unreadable.self) { try Self.answer("", channelID: text).createdChannel() }
        #expect(error?.description.contains(words) == true)
    }

    @Test func `a channel is read, with policies and push types that are not known`() throws {
        let known = Self.answer(#"{"message-storage-policy":1,"push-type":"LiveActivity","more":{}}"#)
        #expect(
            try known.channel(Self.id)
                == APNSChannel(id: Self.id, storage: .mostRecentMessage, pushType: "LiveActivity"))
        let novel = Self.answer(#"{"push-type":"Novel","message-storage-policy":7}"#)
        #expect(
            try novel.channel(Self.id)
                == APNSChannel(id: Self.id, storage: APNSChannel.Storage(rawValue: 7), pushType: "Novel"))
    }

    @Test(arguments: [
        "", "[]", "no", #"{"push-type":"LiveActivity"}"#, #"{"message-storage-policy":"1","push-type":"LiveActivity"}"#,
        #"{"message-storage-policy":1}"#, #"{"message-storage-policy":1,"push-type":1}"#,
        #"{"message-storage-policy":1e30,"push-type":"a"}"#, String(repeating: "[", count: 10_000),
    ])
    func `another body is no channel`(body: String) {
        #expect(throws: Answer.Unreadable.self) { try Self.answer(body).channel(Self.id) }
    }

    @Test func `a list has its ids in order, and may be empty`() throws {
        #expect(try Self.answer(#"{"channels":[]}"#).channels() == [])
        #expect(try Self.answer(#"{"channels":["YQ==","Yg=="]}"#).channels().map(\.base64) == ["YQ==", "Yg=="])
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"channels":{}}"#, #"{"channels":["YQ==",1]}"#, #"{"channels":["YQ==","b"]}"#,
        #"{"channels":["#,
    ])
    func `another body is no list`(body: String) {
        #expect(throws: Answer.Unreadable.self) { try Self.answer(body).channels() }
    }
}
