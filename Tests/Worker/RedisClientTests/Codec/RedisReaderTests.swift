import NIOCore
import Testing

@testable import RedisClient

struct RedisReaderTests {
    private static let wire =
        "+OK\r\n:-7\r\n$5\r\nhe\0lo\r\n$-1\r\n*-1\r\n$0\r\n\r\n*0\r\n*3\r\n:1\r\n*2\r\n$1\r\na\r\n$-1\r\n-ERR no\r\n"
    private static let replies: [RedisValue] = [
        .status("OK"), .integer(-7), .text(Array("he\0lo".utf8)), .null, .null, .text([]), .array([]),
        .array([
            .integer(1), .array([.text([0x61]), .null]), .failure(RedisError(.refused, "the server says \"ERR no\"")),
        ]),
    ]

    private func feed(_ reader: inout RedisReader, _ bytes: ArraySlice<UInt8>) throws -> [RedisValue] {
        try bytes.withUnsafeBytes { try reader.receive($0) }
        var values: [RedisValue] = []
        while let value = try reader.next() { values.append(value) }
        return values
    }

    @Test func `replies are the same wherever the bytes are split`() throws {
        let bytes = Array(RedisReaderTests.wire.utf8)
        for cut in 0...bytes.count {
            var reader = RedisReader()
            let first = try feed(&reader, bytes[..<cut])
            let second = try feed(&reader, bytes[cut...])
            #expect(first + second == RedisReaderTests.replies, "cut at \(cut)")
        }
        var reader = RedisReader()
        var values: [RedisValue] = []
        for index in bytes.indices { values += try feed(&reader, bytes[index...index]) }
        #expect(values == RedisReaderTests.replies)
    }

    @Test(arguments: [
        ("HTTP/1.1 400 Bad Request\r\n", RedisError.Code.notRedis, "does not speak the Redis protocol"),
        ("\u{15}\u{3}\u{1}\u{0}\u{2}\r\n", .tlsFailed, "rediss://"),
        ("*9999999\r\n", .replyTooLarge, "9999999 elements"),
        ("*99999999999999999999\r\n", .notRedis, "does not speak"),
        ("$abc\r\n", .notRedis, "does not speak"),
        (String(repeating: "*1\r\n", count: 12), .notRedis, "does not speak"),
    ])
    func `bytes that are no reply are an error, and stay one`(
        _ text: String, _ code: RedisError.Code, _ detail: String
    ) throws {
        var reader = RedisReader()
        for _ in 0..<2 {
            var found: RedisError?
            do { _ = try feed(&reader, Array(text.utf8)[...]) } catch let error as RedisError { found = error }
            #expect(found?.code == code)
            #expect(found?.detail.contains(detail) == true, "\(found?.detail ?? "nothing")")
        }
    }

    @Test func `a reply may have so many bytes and no more, also in pieces that are complete`() throws {
        var limits = RedisReader.Limits()
        limits.replyBytes = 1000
        var reader = RedisReader(limits: limits)
        #expect(try feed(&reader, Array("$900\r\n\(String(repeating: "x", count: 900))\r\n".utf8)[...]).count == 1)
        #expect(throws: RedisError.self) {
            try feed(&reader, Array("$2000\r\n\(String(repeating: "x", count: 1200))".utf8)[...])
        }
        // The place for elements that are announced counts, too.
        var announced = RedisReader(limits: limits)
        #expect(throws: RedisError.self) { try feed(&announced, Array("*1\r\n*4096\r\n".utf8)[...]) }
        var other = RedisReader(limits: limits)
        let element = "$300\r\n\(String(repeating: "x", count: 300))\r\n"
        #expect(throws: RedisError.self) {
            try feed(&other, Array("*5\r\n\(String(repeating: element, count: 4))".utf8)[...])
        }
    }
}

struct RedisCommandTests {
    @Test func `arguments may be any bytes, and none`() {
        var command = RedisCommand("SET", "")
        command.append([0, 13, 10, 255] as [UInt8])
        command.append(-5)
        var buffer = ByteBuffer()
        command.write(into: &buffer)
        let wire =
            Array("*4\r\n$3\r\nSET\r\n$0\r\n\r\n$4\r\n".utf8) + [0, 13, 10, 255] + Array("\r\n$2\r\n-5\r\n".utf8)
        #expect(Array(buffer.readableBytesView) == wire)
        #expect(command.name == "SET")
    }
}
