@testable import EventDelivery
import Foundation
import Testing

struct EventTests {
    @Test func `times have milliseconds and are in UTC`() {
        #expect(EventTime(milliseconds: 1_778_231_730_120).description == "2026-05-08T09:15:30.120Z")
        #expect(EventTime(milliseconds: 0).description == "1970-01-01T00:00:00.000Z")
        #expect(EventTime(milliseconds: -1).description == "1969-12-31T23:59:59.999Z")
        #expect(EventTime(milliseconds: 951_782_400_000).description == "2000-02-29T00:00:00.000Z")
        #expect(EventTime(milliseconds: .max).description == "9999-12-31T23:59:59.999Z")
        #expect(EventTime(milliseconds: .min).description == "0000-01-01T00:00:00.000Z")
    }

    @Test func `a thousand days agree with Foundation`() {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        for index in 0..<1_000 {
            let milliseconds = Int64(index) * 86_400_000 * 37 + Int64(index) * 12_345
            let date = Date(timeIntervalSince1970: Double(milliseconds / 1_000))
            #expect(EventTime(milliseconds: milliseconds / 1_000 * 1_000).description == formatter.string(from: date))
        }
    }

    @Test func `an id is a UUID in lower case`() {
        #expect(EventID("6F1C2C0E-7C0E-4A53-9D0A-1F7C1B1E2D3C")?.description == "6f1c2c0e-7c0e-4a53-9d0a-1f7c1b1e2d3c")
        #expect(EventID("6f1c2c0e") == nil)
        #expect(EventID() != EventID())
    }

    @Test func `a new id has the version and variant of a random UUID, whatever the random bits`() {
        struct Fixed: RandomNumberGenerator {
            let bits: UInt64
            func next() -> UInt64 { bits }
        }
        var ones = Fixed(bits: .max)
        #expect(EventID(using: &ones).description == "ffffffff-ffff-4fff-bfff-ffffffffffff")
        var zeros = Fixed(bits: 0)
        #expect(EventID(using: &zeros).description == "00000000-0000-4000-8000-000000000000")
    }
}
