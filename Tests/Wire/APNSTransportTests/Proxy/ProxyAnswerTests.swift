import NIOCore
import Testing

@testable import APNSTransport

struct ProxyAnswerTests {
    private typealias Progress = ProxyAnswer.Progress

    /// What the answer means when it comes in pieces of `size` bytes, and what it leaves for the tunnel.
    private static func read(_ text: String, size: Int) -> (progress: Progress, rest: String) {
        var answer = ProxyAnswer()
        var bytes = Array(text.utf8)[...]
        var progress = Progress.incomplete
        while progress == .incomplete, !bytes.isEmpty {
            var piece = ByteBuffer(bytes: bytes.prefix(size))
            bytes = bytes.dropFirst(size)
            progress = answer.receive(&piece)
            if progress != .incomplete {
                return (progress, String(buffer: piece) + String(decoding: bytes, as: UTF8.self))
            }
        }
        return (progress, "")
    }

    private static func refused(_ status: Int, _ reason: String = "", _ schemes: [String] = []) -> Progress {
        .failed(.refused(status: status, reason: reason, schemes: schemes))
    }

    @Test(arguments: [
        ("HTTP/1.1 200 Connection established\r\n\r\n\u{16}\u{3}rest", Progress.open, "\u{16}\u{3}rest"),
        ("HTTP/1.0 200\r\nVia: 1.1 a\r\n\r\n", .open, ""),
        ("HTTP/1.1 200 \r\n\r\n\r\n", .open, "\r\n"),
        ("HTTP/1.1 299 Any reason at all\nServer: x\n\nrest", .open, "rest"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nrest", .open, "rest"),
        (
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\n\r\nr", .open,
            "r"
        ),
        ("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno", refused(403, "Forbidden"), "no"),
        ("HTTP/1.1 502\r\n\r\n", refused(502), ""),
        ("HTTP/1.1 301 Moved\r\nLocation: http://a/\r\n\r\n", refused(301, "Moved"), ""),
        ("HTTP/1.1 101 Switching\r\n\r\n", refused(101, "Switching"), ""),
        ("HTTP/1.1 503 a\u{1b}[2Jb\u{7}\r\n\r\n", refused(503, "a[2Jb"), ""),
        (
            "HTTP/1.1 407 No\r\nProxy-Authenticate: Negotiate\r\nproxy-authenticate:BASIC realm=\"x\"\r\n\r\n",
            refused(407, "No", ["negotiate", "basic"]), ""
        ),
        ("SSH-2.0-OpenSSH_9.2\r\n", .failed(.notHTTP), "SH-2.0-OpenSSH_9.2\r\n"),
        ("HTTP/2 200\r\n\r\n", .failed(.notHTTP), " 200\r\n\r\n"),
        ("HTTP/1.1 2000 OK\r\n\r\n", .failed(.notHTTP), "\r\n"),
        ("HTTP/1.1 20 OK\r\n\r\n", .failed(.notHTTP), "\r\n"),
        ("HTTP/1.1 099 OK\r\n\r\n", .failed(.notHTTP), "\r\n"),
        ("HTTP/1.1\r\n\r\n", .failed(.notHTTP), "\r\n"),
        ("\r\nHTTP/1.1 200 OK\r\n\r\n", .failed(.notHTTP), "\nHTTP/1.1 200 OK\r\n\r\n"),
        ("HTTP/1.1 200 Connection established\r\n", .incomplete, ""),
        ("", .incomplete, ""),
    ])
    func `an answer means the same wherever it is split`(text: String, progress: ProxyAnswer.Progress, rest: String) {
        for size in 1...max(1, text.utf8.count) {
            let read = Self.read(text, size: size)
            #expect(read.progress == progress, "in pieces of \(size)")
            #expect(read.rest == rest, "in pieces of \(size)")
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 " + String(repeating: "a", count: 17_000),
        "HTTP/1.1 200 OK\r\n" + String(repeating: "A: b\r\n", count: 3000),
        String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 1000),
    ])
    func `a head is bounded, whatever it is made of`(text: String) {
        #expect(Self.read(text, size: 1000).progress == .failed(.tooLong))
    }

    @Test func `a reason and the number of schemes are cut`() {
        let schemes = (0..<20).map { "Proxy-Authenticate: S\($0)\r\n" }.joined()
        let text = "HTTP/1.1 407 \(String(repeating: "r", count: 1000))\r\n\(schemes)\r\n"
        guard case .failed(.refused(407, let reason, let found)) = Self.read(text, size: 100).progress else {
            Issue.record("no refusal")
            return
        }
        #expect(reason.count == 100)
        #expect(found == (0..<8).map { "s\($0)" })
    }
}
