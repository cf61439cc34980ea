import Testing

@testable import APNSModel

struct APNSValueErrorTests {
    private func detail<Value>(_ make: () throws(APNSValueError) -> Value, _ code: APNSValueError.Code) throws -> String
    {
        do {
            _ = try make()
        } catch {
            #expect(error.code == code && error.description == error.detail)
            return error.detail
        }
        Issue.record("nothing was thrown")
        return ""
    }

    @Test(arguments: [
        ("", "is empty"), ("com example", "a space at character 4"), ("com.exämple", "\"ä\" at character 7"),
        ("com.example\n", "a line break at character 12"), (String(repeating: "a", count: 300), "has 300 bytes"),
    ])
    func `a wrong topic is named, with the right form`(text: String, problem: String) throws {
        let detail = try detail({ () throws(APNSValueError) in try Topic(parsing: text) }, .topic)
        #expect(detail.contains(problem) && detail.contains("bundle id"), "\(detail)")
        #expect(detail.utf8.count < 300)
        #expect(Topic(text) == nil)
    }

    @Test(arguments: [
        ("", "is empty"), (String(repeating: "é", count: 33), "has 66 bytes"), ("a\tb", "has a tab"), (" a", "space"),
        ("a\u{0}", "U+0000"),
    ])
    func `a wrong collapse id is named, with the right form`(text: String, problem: String) throws {
        let detail = try detail({ () throws(APNSValueError) in try CollapseID(parsing: text) }, .collapseID)
        #expect(detail.contains(problem) && detail.contains("; "), "\(detail)")
        #expect(CollapseID(text) == nil)
    }

    @Test(arguments: ["", "abc", "a-_=", "YQ"])
    func `a wrong channel id is named, with the right form`(text: String) throws {
        let detail = try detail({ () throws(APNSValueError) in try ChannelID(parsing: text) }, .channelID)
        #expect(
            detail.contains(text.isEmpty ? "is empty" : "base64") && detail.contains("apns-channel-id"), "\(detail)")
    }

    @Test(arguments: ["", "order-7", "{9d1f3c2a-5b6e-4f70-8a91-b2c3d4e5f607}", "9d1f3c2a5b6e4f708a91b2c3d4e5f607"])
    func `a wrong apns-id is named, with the right form`(text: String) throws {
        let detail = try detail({ () throws(APNSValueError) in try NotificationID(parsing: text) }, .notificationID)
        #expect(detail.contains("8-4-4-4-12 hexadecimal digits"), "\(detail)")
    }

    @Test func `what is right is read as by the failable initializers`() throws {
        #expect(try Topic(parsing: "com.example.app") == Topic("com.example.app"))
        #expect(try CollapseID(parsing: "score") == CollapseID("score"))
        #expect(try ChannelID(parsing: "YQ==".prefix(4)) == ChannelID("YQ=="))
        let id = "9d1f3c2a-5b6e-4f70-8a91-b2c3d4e5f607"
        #expect(try NotificationID(parsing: id).text == id)
    }
}
