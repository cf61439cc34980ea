import APNSModel
import APNSPayload
import PayloadJSON
import Testing

@testable import apns

struct BatchLineTests {
    @Test func `a second object in a line is to get a line of its own`() throws {
        var reader = EnvelopeReader()
        var records = JSONReader()
        let read = BatchLine.read(
            Array(#"{"token":"aa"} {"token":"bb"}"#.utf8), name: "x.ndjson", number: 3, defaults: EnvelopeDefaults(),
            with: &reader, &records)
        guard case .bad(let bad) = read else { return #expect(Bool(false)) }
        #expect(
            bad.message
                == "x.ndjson:3:16: not JSON: there is more text after the end of the object; write each object on a "
                + "line of its own")
    }

    @Test func `an envelope without a push type or priority gets those it needs`() throws {
        var reader = EnvelopeReader()
        var records = JSONReader()
        let defaults = EnvelopeDefaults(topic: Topic("com.example.a"), pushType: .alert)
        let line = Array(#"{"token":"aa","apns-push-type":"background","payload":{}}"#.utf8)
        guard
            case .notification(let notification, _) = BatchLine.read(
                line, name: "x", number: 1, defaults: defaults, with: &reader, &records)
        else { return #expect(Bool(false)) }
        #expect(notification.priority == .powerConsiderate)
        guard
            case .nothing = BatchLine.read([0x20], name: "x", number: 2, defaults: defaults, with: &reader, &records)
        else {
            return #expect(Bool(false))
        }
    }
}
