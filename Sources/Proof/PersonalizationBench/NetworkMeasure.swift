import Foundation
import PersonalizationSimulator
import ServiceHost

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// How fast a service in another process answers over HTTP, each on a core of its own.
enum NetworkMeasure {
    /// Connections of the client; one request of each is under way.
    private static let connections = 16

    static func serve() async throws {
        let server = try await ServiceServer.start(ServiceWorld(Bench.configuration), ServiceServer.Options())
        FileHandle.standardOutput.write(Data("\(server.url) \(Bench.configuration.appSourceID)\n".utf8))
        // Reading blocks a thread, so the server keeps the others.
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                while readLine() != nil {}
                continuation.resume()
            }
        }
        await server.stop()
    }

    static func load(url: String, source: String) throws {
        guard let port = UInt16(url.split(separator: ":").last ?? "") else { throw Failure(what: "\(url) has no port") }
        let decisions = (0..<1_000).map { number in
            head("/personalization/decisions", "application/json", Bench.decision(number))
        }
        Bench.print(
            "decide, over HTTP", try rate(port, decisions, expect: "HTTP/1.1 200"), "decisions/s", limit: 10_000)
        let batches = (0..<2_000).map { number in
            head("/web/events/\(source)", "application/x-www-form-urlencoded", Bench.batch(number))
        }
        let events = try rate(port, batches, expect: "HTTP/1.1 204", repeats: false) * Double(Bench.eventsPerBatch)
        Bench.print("take events in, over HTTP", events, "events/s", limit: 20_000)
    }

    struct Failure: Error { let what: String }

    private static func head(_ path: String, _ type: String, _ body: [UInt8]) -> [UInt8] {
        Array(
            "POST \(path) HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: \(type)\r\ncontent-length: \(body.count)\r\n\r\n"
                .utf8) + body
    }

    /// Requests a second: each connection sends one, and the next when its answer has come.
    private static func rate(
        _ port: UInt16, _ requests: [[UInt8]], expect: String, repeats: Bool = true
    ) throws -> Double {
        let sockets = try (0..<connections).map { _ in try open(port) }
        defer { for socket in sockets { close(socket) } }
        let start = Bench.nanoseconds()
        var (sent, answered) = (0, 0)
        func next() -> [UInt8]? {
            guard repeats ? Bench.nanoseconds() - start < 3_000_000_000 : sent < requests.count else { return nil }
            sent += 1
            return requests[(sent - 1) % requests.count]
        }
        var polls = sockets.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        for socket in sockets { if let request = next() { try write(request, to: socket) } }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while answered < sent {
            guard poll(&polls, nfds_t(polls.count), 10_000) > 0 else { throw Failure(what: "no answer in 10 s") }
            for index in polls.indices where polls[index].revents != 0 {
                // An answer is small and comes in one piece.
                let count = read(polls[index].fd, &buffer, buffer.count)
                guard count > 0, buffer.starts(with: expect.utf8) else {
                    throw Failure(what: String(decoding: buffer.prefix(max(0, count)).prefix(200), as: UTF8.self))
                }
                answered += 1
                if let request = next() { try write(request, to: polls[index].fd) }
            }
        }
        return Double(answered) * 1_000_000_000 / Double(Bench.nanoseconds() - start)
    }

    private static func open(_ port: UInt16) throws -> Int32 {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure(what: "no connection to port \(port)") }
        return descriptor
    }

    private static func write(_ bytes: [UInt8], to socket: Int32) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { send(socket, $0.baseAddress! + sent, bytes.count - sent, 0) }
            guard count > 0 else { throw Failure(what: "the service closed the connection") }
            sent += count
        }
    }
}
