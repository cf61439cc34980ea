import GatewayJSON
import PayloadJSON
import Testing

struct JSONTextTimeTests {
    @Test func `a time is added as RFC 3339 in UTC`() {
        #expect(JSONText.object { $0.add("at", time: 1_795_244_400_250) }.text == #"{"at":"2026-11-21T07:00:00.250Z"}"#)
        #expect(JSONText.object { $0.add("at", time: 0) }.text == #"{"at":"1970-01-01T00:00:00.000Z"}"#)
    }
}
