import EventDelivery
import Foundation
import Testing

@testable import Personalization

struct AttributeValueTests {
    @Test(arguments: [
        (AttributeValue.text("a \"b\"\n"), #""a \"b\"\n""#), (.integer(-7), "-7"), (.boolean(true), "true"),
        (.decimal(Decimal(string: "12345678901234567890.25")!), "12345678901234567890.25"), (.decimal(.nan), "null"),
        (.date(EventTime(milliseconds: 1_778_231_730_120)), #""2026-05-08T09:15:30.120Z""#),
    ])
    func `a value is exact in JSON`(_ value: AttributeValue, _ json: String) {
        var bytes: [UInt8] = []
        value.append(to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == json)
    }
}
