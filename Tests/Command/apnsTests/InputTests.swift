import APNSModel
import APNSPayload
import Foundation
import PayloadJSON
import Testing

@testable import apns

struct InputTests {
    private static func withFile(_ text: String, _ body: (String) throws -> Void) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("apns-\(UUID().uuidString)")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try body(file.path)
    }

    private static func lines(_ path: String, maximumBytes: Int = 100) throws -> [LineReader.Line] {
        let reader = LineReader(try InputFile(path: path), maximumBytes: maximumBytes)
        var lines: [LineReader.Line] = []
        while let line = try reader.next() { lines.append(line) }
        return lines
    }

    @Test func `lines are numbered, whatever ends them`() throws {
        try InputTests.withFile("a\r\n\nlast") { path in
            let lines = try InputTests.lines(path)
            #expect(lines.map(\.number) == [1, 2, 3])
            #expect(lines.map { $0.bytes.map { String(decoding: $0, as: UTF8.self) } } == ["a", "", "last"])
        }
        for (text, count) in [("a\n", 1), ("", 0), ("\n\n", 2)] {
            try InputTests.withFile(text) { path in
                let lines = try InputTests.lines(path)
                #expect(lines.count == count)
            }
        }
    }

    @Test func `a line in place is the line with memory of its own`() throws {
        let lines = (0..<3_000).map { String(repeating: "x", count: $0 % 97) + "\($0)" } + ["", "\r", "last"]
        for end in ["", "\n", "\r\n"] {
            try InputTests.withFile(lines.joined(separator: "\n") + end) { path in
                let wanted = try InputTests.lines(path)
                let reader = LineReader(try InputFile(path: path), maximumBytes: 100)
                var found: [LineReader.Line] = []
                while let line = try reader.next(
                    until: nil, { LineReader.Line(number: $0, bytes: $1.map { Array($0) }) })
                {
                    found.append(line)
                }
                #expect(found == wanted)
                #expect(found.count == lines.count)
            }
        }
    }

    @Test(arguments: [101, 65_536, 200_000])
    func `a line that is too long is skipped and the next one is read`(length: Int) throws {
        let long = String(repeating: "x", count: length)
        try InputTests.withFile("\(long)\nnext\n\(long)") { path in
            let lines = try InputTests.lines(path)
            #expect(lines.map(\.number) == [1, 2, 3])
            #expect(lines.map { $0.bytes?.count } == [nil, 4, nil])
        }
        try InputTests.withFile(String(repeating: "x", count: 100)) { path in
            let lines = try InputTests.lines(path)
            #expect(lines.first?.bytes?.count == 100)
        }
    }

    @Test func `a reader that waits for a pipe ends when it is told to`() throws {
        let pipe = Pipe()
        let stop = StopSignal()
        let reader = LineReader(try InputFile(path: "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"))
        pipe.fileHandleForWriting.write(Data("one\ntw".utf8))
        #expect(try reader.next(until: stop)?.bytes == Array("one".utf8))
        #expect(!reader.isReady)
        stop.stop()
        #expect(try reader.next(until: stop) == nil)
    }

    @Test func `a line of a token file is a device token, nothing, or at fault`() throws {
        let device = try #require(DeviceToken("00ff"))
        #expect(DeviceTokenLine(Array("00FF".utf8)) == .deviceToken(device))
        #expect(DeviceTokenLine(Array(" \t00ff # mine".utf8)) == .deviceToken(device))
        #expect(DeviceTokenLine(Array("\u{FEFF}00ff".utf8)) == .deviceToken(device))
        for text in ["", "   ", "# 00ff", "\t#"] { #expect(DeviceTokenLine(Array(text.utf8)) == .nothing) }
        for text in ["0", "0g", "00 ff", "٠٠", "００"] {
            guard case .fault = DeviceTokenLine(Array(text.utf8)) else {
                Issue.record("\(text) was taken")
                continue
            }
        }
        let secret = String(repeating: "a", count: 63)
        guard case .fault(let fault) = DeviceTokenLine(Array(secret.utf8)) else { return #expect(Bool(false)) }
        #expect(!fault.contains(secret) && fault.contains("aaaa…aaaa"))
    }

    @Test func `each device token gets every payload, in order`() throws {
        let topic = try #require(Topic("com.example.a"))
        let devices = try ["aa", "bb"].map { try #require(DeviceToken($0)) }
        let template = MessageTemplate(topic: topic, pushType: .background, payloads: [[1], [2]])
        try InputTests.withFile("cc\n") { path in
            var reader = NotificationReader(
                template, deviceTokens: devices, tokenFile: LineReader(try InputFile(path: path)))
            var sent: [String] = []
            while let item = try reader.next(until: nil) {
                guard case .notification(let notification) = item else { continue }
                #expect(notification.priority == .powerConsiderate)
                sent.append("\(notification.deviceToken.hex)\(notification.payload[0])")
            }
            #expect(sent == ["aa1", "aa2", "bb1", "bb2", "cc1", "cc2"])
        }
    }

    @Test func `after a stop the rest of a file is counted and not reported`() async throws {
        let topic = try #require(Topic("com.example.a"))
        let text = (0..<2000).map { String($0 + 1000) + "\n" }.joined() + "bad\n"
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("apns-\(UUID().uuidString)")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let reader = NotificationReader(
            MessageTemplate(topic: topic, pushType: .alert, payloads: [[1]]), deviceTokens: [],
            tokenFile: LineReader(try InputFile(path: file.path)))
        let feed = NotificationFeed(reader) { _ in Issue.record("something was reported") }
        var iterator = feed.makeAsyncIterator()
        for _ in 0..<600 { #expect(try await iterator.next() != nil) }
        feed.stop()
        guard case .all(let count) = await feed.rest(after: 600, isStopped: { false }, visit: nil) else {
            return #expect(Bool(false), "the rest of a file is known")
        }
        #expect(count == 1400)
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
