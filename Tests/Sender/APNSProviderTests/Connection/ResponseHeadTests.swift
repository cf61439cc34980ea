import APNSModel
import HTTP2Session
import Testing

@testable import APNSProvider

struct ResponseHeadTests {
    /// The head of a response with these fields to a notification with the id `SENT`.
    private func head(_ status: String, _ fields: [(StaticString, String)]) throws -> ResponseHead {
        let pair = try SessionPair()
        try pair.exchange()
        let stream = try pair.request("SENT")
        try pair.exchange()
        try pair.respond(stream, status: status, fields)
        try pair.exchange()
        let head: ResponseHead? = pair.events { batch in
            for case .head(_, let fields) in batch.events { return ResponseHead(batch, fields, sentID: "SENT") }
            return nil
        }
        return try #require(head)
    }

    @Test(arguments: ["200", "400", "503"])
    func `the status is read as a number`(status: String) throws {
        #expect(try head(status, []).status == Int(status))
    }

    @Test func `an id that was sent is not kept`() throws {
        #expect(try head("200", [("apns-id", "SENT")]).apnsID == nil)
    }

    @Test(arguments: [
        "", "SEN", "SENTT", "6F9619FF-8B86-D011-B42D-00CF4FC964F", "{6F9619FF-8B86-D011-B42D-00CF4FC964FF}",
    ])
    func `what is no UUID is not taken for the id`(id: String) throws {
        #expect(try head("200", [("apns-id", id)]).apnsID == nil)
    }

    @Test(arguments: ["6F9619FF-8B86-D011-B42D-00CF4FC964FF", "6f9619ff-8b86-d011-b42d-00cf4fc964ff"])
    func `any other id is kept`(id: String) throws {
        #expect(try head("200", [("apns-id", id)]).apnsID?.text == id)
    }

    @Test func `the unique id is read, other fields are ignored`() throws {
        let head = try head("200", [("x-apns-id", "a"), ("apns-unique-id", "U"), ("content-type", "b")])
        #expect(head.uniqueID == "U")
        #expect(head.apnsID == nil)
    }
}
