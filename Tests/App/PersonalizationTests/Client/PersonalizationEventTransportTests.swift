@testable import EventDelivery
import PushDispatch
import Testing

@testable import Personalization

struct PersonalizationEventTransportTests {
    private struct Answers: DecisionTransport {
        let reply: DecisionHTTPReply

        func send(_ request: DecisionHTTPRequest) async throws(DecisionError) -> DecisionHTTPReply { reply }
    }

    @Test(
        arguments: [
            (429, nil, 60_000), (503, nil, 30_000), (500, nil, nil), (204, nil, nil), (503, "7", 7_000), (500, "0", 0),
            (503, "Sun, 06 Nov 1994 08:49:37 GMT", 37_000), (503, "Sun, 06 Nov 1994 08:48:00 GMT", 0),
            (429, "soon", 60_000), (429, "9999999999", 86_400_000),
        ] as [(Int, String?, Int64?)])
    func `the pause is the service's, or the vendor's`(_ status: Int, _ header: String?, _ pause: Int64?) async throws {
        let app = try TestApp()
        var headers: [String: String] = [:]
        headers["retry-after"] = header
        // 1994-11-06T08:49:00Z
        let transport = PersonalizationEventTransport(
            app.configuration, http: Answers(reply: DecisionHTTPReply(status: status, headers: headers, body: [])),
            wallClock: { EventTime(milliseconds: 784_111_740_000) })
        let batch = EventBatch(
            destination: "personalization", events: [], body: [], contentType: "text/plain",
            renewsCredentials: false, failures: 0)
        guard case .status(status, let wait) = await transport.send(batch) else {
            Issue.record("no status")
            return
        }
        #expect(wait == pause)
    }
}
