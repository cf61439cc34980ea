import APNSModel
import PayloadJSON
import Testing

@testable import APNSPayload

struct WholeNumberTests {
    @Test(arguments: [
        ("3", 3), ("3.0", 3), ("0.3e1", 3), ("30E-1", 3), ("-2.50e1", -25), ("1e2", 100), ("0.0", 0), ("-0e9", 0),
        ("1.5", nil), ("1e-1", nil), ("1e400", nil), ("0e400", 0), ("0e9999999999999", 0),
        ("1e99999999999999999999", nil),
        ("123456789012345678901.0", nil), (#""3""#, nil), ("true", nil), ("[3]", nil),
    ])
    func `a number is whole however it is written`(text: String, whole: Int64?) {
        let envelope = Envelope(kind: .payload, payload: Array(text.utf8))
        var notification = InspectedNotification()
        notification.begin(envelope)
        _ = notification.readPayload()
        let found = notification.wholeNumber(.root)
        #expect(found == whole)
    }
}
