import APNSModel
import ArgumentParser
import Testing

@testable import apns

struct ArgumentReadingTests {
    private func message(_ body: () throws -> Void) -> String? {
        let error = #expect(throws: ValidationError.self) { try body() }
        return error?.message
    }

    private func fault(_ text: String, allowsNew: Bool? = false) throws -> String? {
        let argument = PushTypeArgument(argument: text)
        do {
            try argument.check(allowsNew: allowsNew)
            return nil
        } catch let error as ValidationError {
            return error.message
        }
    }

    @Test func `an unknown push type is refused with the nearest known one, unless new ones are allowed`() throws {
        #expect(try fault("voip") == nil)
        for (text, meant) in [
            ("Alert", "alert"), ("silent", "background"), ("alert ", "alert"), ("live-activity", "liveactivity"),
            ("mdn", "mdm"), ("backgroud", "background"),
        ] {
            #expect(try fault(text)?.contains("is not a push type; did you mean \(meant)?") == true, "\(text)")
        }
        #expect(try fault("somethingnew")?.contains("it must be one of alert, background") == true)
        #expect(try fault("somethingnew", allowsNew: true) == nil)
        for mistake in ["", "alert ", "Alert", "silent", "Hologram", "holo gram", "backgroud"] {
            #expect(try fault(mistake, allowsNew: true)?.contains("is not a push type") == true, "\(mistake)")
            #expect(try fault(mistake, allowsNew: false)?.contains("--allow-new") == false, "\(mistake)")
        }
        let advice = "voip, widgets. For a new one, give --allow-new-push-types."
        #expect(try fault("somethingnew")?.hasSuffix(advice) == true)
        #expect(try fault("somethingnew", allowsNew: nil)?.hasSuffix("voip, widgets.") == true)
        let broken = try fault("alert\r\nx: y", allowsNew: true)
        #expect(broken?.contains("cannot be in a header") == true)
        // As bytes, because CR and LF together are one character.
        #expect(broken?.utf8.contains { $0 < 0x20 } == false)
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
