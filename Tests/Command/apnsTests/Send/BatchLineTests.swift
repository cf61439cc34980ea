import APNSModel
import APNSPayload
import PayloadJSON
import Testing

@testable import apns

struct BatchLineTests {
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
