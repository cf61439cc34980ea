import Foundation
import Logging
import Synchronization
import Testing

@testable import GatewayRuntime

struct JSONLogHandlerTests {
    private final class Written: Sendable {
        private let lines = Mutex<[[UInt8]]>([])

        func add(_ line: [UInt8]) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0.map { String(decoding: $0, as: UTF8.self) } } }
    }

    private func logger(_ written: Written) -> Logger {
        Logger(label: "apns.gateway") { label in JSONLogHandler(label: label) { written.add($0) } }
    }

    @Test func `a line has time, level, label and message in this order, and ends with a line feed`() {
        let line = JSONLogHandler.line(
            "info", label: "l", "a \"word\"\nmore", at: 1_795_244_400_000, ["n": "3", "a": "x"])
        #expect(
            String(decoding: line, as: UTF8.self) == """
                {"time":"2026-11-21T07:00:00.000Z","level":"info","label":"l","message":"a \\"word\\"\\nmore","a":"x","n":"3"}

                """)
    }

    @Test func `metadata of the logger and of the message are members, and replace none of the others`() throws {
        let written = Written()
        var logger = logger(written)
        logger[metadataKey: "world"] = "default"
        logger[metadataKey: "host"] = "here"
        #expect(logger[metadataKey: "world"] == "default")
        logger.notice("gone", metadata: ["world": "orders", "level": "x", "message": "y", "list": ["1", "2"]])
        #expect(written.all.count == 1 && written.all.first?.filter { $0 == "\n" }.count == 1)
        let json = try JSONSerialization.jsonObject(with: Data((written.all.first ?? "").utf8))
        let object = try #require(json as? [String: String])
        #expect(object["time"]?.hasSuffix("Z") == true)
        #expect(object["level"] == "notice" && object["label"] == "apns.gateway" && object["message"] == "gone")
        #expect(object["world"] == "orders" && object["host"] == "here" && object["list"]?.contains("2") == true)
        #expect(object.count == 7)
    }

    @Test func `from info on everything is written, and the level can be changed`() {
        let written = Written()
        var logger = logger(written)
        logger.debug("quiet")
        logger.info("one")
        logger.logLevel = .debug
        logger.debug("two")
        #expect(written.all.count == 2)
    }
}
