import Foundation
package import NIOCore
import NIOPosix

/// A small HTTP/1.1 client for the control API.
package struct ControlClient {
    package struct Answer {
        package var status: Int
        /// Names in lower case.
        package var headers: [String: String]
        package var body: String

        /// The body as an object of JSON.
        package var json: [String: Any] {
            (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any] ?? [:]
        }
    }

    package let port: Int

    package init(port: Int) { self.port = port }

    package func call(
        _ method: String, _ path: String, _ body: String? = nil, headers: [String] = [], host: String? = nil
    ) async throws -> Answer {
        let channel = try await open()
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(request(method, path, body, headers + ["Connection: close"], host))
            var text: [UInt8] = []
            for try await part in inbound { text += part.readableBytesView }
            return ControlClient.read(String(decoding: text, as: UTF8.self))
        }
    }

    /// Opens a stream of server-sent events, and closes it when `body` returns.
    package func events<Result: Sendable>(
        _ path: String, headers: [String] = [], _ body: (inout EventReader) async throws -> Result
    ) async throws -> Result {
        let channel = try await open()
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(request("GET", path, nil, headers, nil))
            var reader = EventReader(inbound.makeAsyncIterator())
            try await reader.readHead()
            return try await body(&reader)
        }
    }

    /// - Parameter canHalfClose: Whether finishing the output leaves the input open.
    package func open(canHalfClose: Bool = false) async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.allowRemoteHalfClosure, value: canHalfClose)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(isOutboundHalfClosureEnabled: canHalfClose))
                }
            }
    }

    package func request(_ method: String, _ path: String, _ body: String?, _ headers: [String], _ host: String?)
        -> ByteBuffer
    {
        var lines = ["\(method) \(path) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(port)")"] + headers
        if let body { lines.append("Content-Length: \(body.utf8.count)") }
        return ByteBuffer(string: lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
    }

    private static func read(_ text: String) -> Answer {
        let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
        let (status, headers) = head(String(parts[0]))
        return Answer(status: status, headers: headers, body: parts.count > 1 ? String(parts[1]) : "")
    }

    package static func head(_ text: String) -> (status: Int, headers: [String: String]) {
        var lines = text.components(separatedBy: "\r\n")
        let status = Int(lines.removeFirst().split(separator: " ").dropFirst().first ?? "") ?? 0
        var headers: [String: String] = [:]
        for line in lines {
            let pair = line.split(separator: ":", maxSplits: 1)
            guard pair.count == 2 else { continue }
            headers[pair[0].lowercased()] = pair[1].trimmingCharacters(in: .whitespaces)
        }
        return (status, headers)
    }
}

/// Reads server-sent events out of a chunked response.
package struct EventReader {
    package struct Event: Equatable {
        package var name: String?
        package var id: String?
        package var data: String
    }

    private var iterator: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private var raw: [UInt8] = []
    private var text = ""
    package private(set) var status = 0
    package private(set) var headers: [String: String] = [:]

    package init(_ iterator: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator) { self.iterator = iterator }

    private mutating func more() async throws -> Bool {
        guard let part = try await iterator.next() else { return false }
        raw += part.readableBytesView
        return true
    }

    package mutating func readHead() async throws {
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let range = raw.firstRange(of: end) {
                (status, headers) = ControlClient.head(String(decoding: raw[..<range.lowerBound], as: UTF8.self))
                raw.removeSubrange(..<range.upperBound)
                return
            }
            guard try await more() else { return }
        }
    }

    /// The next chunk's text; nil at the end.
    private mutating func chunk() async throws -> String? {
        while true {
            if let line = raw.firstRange(of: Array("\r\n".utf8)) {
                let size = Int(String(decoding: raw[..<line.lowerBound], as: UTF8.self), radix: 16) ?? 0
                if raw.count >= line.upperBound + size + 2 {
                    let bytes = raw[line.upperBound..<line.upperBound + size]
                    let chunk = String(decoding: bytes, as: UTF8.self)
                    raw.removeSubrange(..<(line.upperBound + size + 2))
                    return size == 0 ? nil : chunk
                }
            }
            guard try await more() else { return nil }
        }
    }

    /// The next event that is no comment; nil at the end.
    package mutating func next() async throws -> Event? {
        while true {
            while let end = text.firstRange(of: "\n\n") {
                let block = text[..<end.lowerBound]
                text.removeSubrange(..<end.upperBound)
                guard !block.hasPrefix(":") else { continue }
                var event = Event(data: "")
                for line in block.split(separator: "\n") {
                    let pair = line.split(separator: ":", maxSplits: 1)
                    let value = pair.count > 1 ? pair[1].drop { $0 == " " } : ""
                    switch pair[0] {
                    case "event": event.name = String(value)
                    case "id": event.id = String(value)
                    default: event.data += value
                    }
                }
                return event
            }
            guard let chunk = try await chunk() else { return nil }
            text += chunk
        }
    }
}
