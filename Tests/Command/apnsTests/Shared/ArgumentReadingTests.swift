import APNSModel
import ArgumentParser
import Testing

@testable import apns

struct ArgumentReadingTests {
    private func message(_ body: () throws -> Void) -> String? {
        let error = #expect(throws: ValidationError.self) { try body() }
        return error?.message
    }

    @Test func `a misspelt push type is refused with a suggestion, and an unknown one is allowed`() throws {
        #expect(try ArgumentReading.pushType("voip") == .voip)
        #expect(try ArgumentReading.pushType("somethingnew").rawValue == "somethingnew")
        #expect(message { _ = try ArgumentReading.pushType("Alert") } == "did you mean alert?")
        #expect(message { _ = try ArgumentReading.pushType("silent") } == "did you mean background?")
        #expect(message { _ = try ArgumentReading.pushType("") }?.hasPrefix("it must be one of ") == true)
    }

    @Test(arguments: [("1", 1), ("1000", 1000)]) func `connections are counted`(text: String, count: Int) throws {
        #expect(try ArgumentReading.connections(text) == count)
    }

    @Test(arguments: ["0", "1001", "-1", "x", ""]) func `other numbers of connections are refused`(text: String) {
        #expect(message { _ = try ArgumentReading.connections(text) } == "it must be a number from 1 to 1000")
    }

    @Test func `a duration is at least a millisecond and at most a day`() throws {
        #expect(try ArgumentReading.duration("1ms") == .milliseconds(1))
        #expect(try ArgumentReading.duration("24h") == .seconds(86_400))
        for text in ["0s", "25h", "10", "soon"] {
            #expect(message { _ = try ArgumentReading.duration(text) }?.contains("like 500ms") == true, "\(text)")
        }
    }

    @Test func `a time is in seconds or RFC 3339`() throws {
        #expect(try ArgumentReading.time("1700000000") == 1_700_000_000)
        #expect(try ArgumentReading.time("2023-11-14T22:13:20Z") == 1_700_000_000)
    }
}
