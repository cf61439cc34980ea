import APNSModel
import Testing

@testable import APNSProvider

struct HeaderCheckTests {
    private func notification(
        topic: String = "com.example.app", pushType: String = "alert", collapseID: String? = nil
    ) throws -> APNSNotification {
        APNSNotification(
            to: try #require(DeviceToken("ab12")), topic: Topic(recorded: topic),
            pushType: PushType(rawValue: pushType),
            collapseID: collapseID.map { CollapseID(recorded: $0) }, payload: Array("{}".utf8))
    }

    @Test func `usual values are sent, and so are empty ones of a record`() throws {
        var check = HeaderCheck()
        #expect(check.problem(in: try notification()) == nil)
        #expect(check.problem(in: try notification(pushType: "new-type", collapseID: "a b é")) == nil)
        #expect(check.problem(in: try notification(topic: "", pushType: "")) == nil)
    }

    @Test func `line ends, control characters and outer white space are refused, with the name of the header`() throws {
        var check = HeaderCheck()
        #expect(check.problem(in: try notification()) == nil)
        for round in 0..<2 {
            #expect(
                check.problem(in: try notification(pushType: "alert\r\nx: y"))
                    == "the push type has a carriage return, which no header can carry", "round \(round)")
            #expect(
                check.problem(in: try notification(topic: " com.example.app"))
                    == "the topic begins or ends with white space, which no header can carry")
            #expect(
                check.problem(in: try notification(collapseID: "a\n"))
                    == "the collapse id has a line feed, which no header can carry")
        }
        #expect(check.problem(in: try notification()) == nil)
    }
}
