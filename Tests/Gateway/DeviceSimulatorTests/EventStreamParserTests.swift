import Testing

@testable import DeviceSimulator

struct EventStreamParserTests {
    private let text = """
        : connected

        id: a
        data: {"one":1}

        event: gap
        data: first
        data:second
        id

        data
        retry: 5
        unknown: x

        id: b

        data: last


        """

    private func events(_ text: String, lineEnd: String = "\n") throws -> [String] {
        var parser = EventStreamParser()
        return try parser.receive(
            text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: lineEnd).utf8
        )
        .map { "\($0.name) \($0.id ?? "-") \(String(decoding: $0.data, as: UTF8.self))" }
    }

    private let wanted = [#"message a {"one":1}"#, "gap  first\nsecond", "message  ", "message b last"]

    @Test(arguments: ["\n", "\r", "\r\n"])
    func `events are read whatever ends a line`(lineEnd: String) throws {
        #expect(try events(text, lineEnd: lineEnd) == wanted)
    }

    @Test func `every cut gives the same events`() throws {
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
            var parser = EventStreamParser()
            let found = try parser.receive(bytes[..<cut]) + parser.receive(bytes[cut...])
            #expect(found.map { "\($0.name) \($0.id ?? "-") \(String(decoding: $0.data, as: UTF8.self))" } == wanted)
        }
    }

    @Test func `an event that was not ended is not reported`() throws {
        #expect(try events("data: half") == [])
    }

    @Test func `an endless line is refused`() throws {
        var parser = EventStreamParser()
        #expect(throws: EventStreamParser.Failure.tooLong) {
            for _ in 0..<2000 { _ = try parser.receive([UInt8](repeating: 120, count: 1024)) }
        }
    }
}
