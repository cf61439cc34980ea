import NIOCore
import NIOHTTP1
import NIOPosix

/// Calls a control API over HTTP/1.1, with a connection for each call.
package struct ControlClient: Sendable {
    package let endpoint: ControlEndpoint

    package init(endpoint: ControlEndpoint) { self.endpoint = endpoint }

    package struct Response: Sendable {
        package var status: Int
        package var body: [UInt8]
    }

    /// Makes one call and reads the whole answer.
    ///
    /// - Parameter limit: The largest answer that is read, in bytes.
    package func call(
        method: String, _ path: String, body: [UInt8]? = nil, limit: Int = maximumBodyBytes
    ) async throws -> Response {
        try await call(HTTPMethod(rawValue: method), path, body: body, limit: limit)
    }

    /// Why a call was refused.
    package func refusal(_ response: Response) -> DeviceError { refusalError(response.status, response.body) }

    private typealias Exchange = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    package static let maximumBodyBytes = 1 << 20

    /// Makes one call and reads the whole answer.
    func call(
        _ method: HTTPMethod, _ path: String, body: [UInt8]? = nil, limit: Int = maximumBodyBytes
    ) async throws -> Response {
        try await exchange(method, path, headers: [], body: body) { response in
            var status = 0
            var bytes: [UInt8] = []
            for try await part in response {
                switch part {
                case .head(let head): status = Int(head.status.code)
                case .body(let buffer):
                    guard bytes.count + buffer.readableBytes <= limit else {
                        throw DeviceError(.tooLarge, "\(endpoint) answered with more than \(limit) bytes")
                    }
                    bytes.append(contentsOf: buffer.readableBytesView)
                case .end: return Response(status: status, body: bytes)
                }
            }
            throw DeviceError(.disconnected, "\(endpoint) closed the connection before its answer was complete")
        }
    }

    /// Reads an answer of any length.
    ///
    /// - Parameter receive: Gets the body of an answer with status 200, piece by piece.
    /// - Returns: The answer; with status 200 without its body, otherwise with the beginning of it.
    package func download(
        _ path: String, receive: ([UInt8]) throws -> Void
    ) async throws -> Response {
        try await exchange(.GET, path, headers: [], body: nil) { response in
            var answer = Response(status: 0, body: [])
            for try await part in response {
                switch part {
                case .head(let head): answer.status = Int(head.status.code)
                case .body(let buffer):
                    if answer.status == 200 {
                        try receive(Array(buffer.readableBytesView))
                    } else {
                        answer.body.append(
                            contentsOf: buffer.readableBytesView.prefix(
                                ControlClient.maximumBodyBytes - answer.body.count))
                    }
                case .end: return answer
                }
            }
            throw DeviceError(.disconnected, "\(endpoint) closed the connection before its answer was complete")
        }
    }

    /// Reads an endless answer, piece by piece, until it ends or `receive` throws.
    ///
    /// - Parameter opened: Called once the gateway has answered with 200.
    func stream(
        _ path: String, headers: [(String, String)], opened: () async throws -> Void,
        receive: ([UInt8]) async throws -> Void
    ) async throws {
        try await exchange(.GET, path, headers: headers, body: nil) { response in
            var refusal: (status: Int, body: [UInt8])?
            for try await part in response {
                switch part {
                case .head(let head) where head.status == .ok: try await opened()
                case .head(let head): refusal = (Int(head.status.code), [])
                case .body(let buffer):
                    if refusal != nil {
                        refusal?.body.append(contentsOf: buffer.readableBytesView.prefix(4096))
                    } else {
                        try await receive(Array(buffer.readableBytesView))
                    }
                case .end: break
                }
            }
            if let refusal { throw refusalError(refusal.status, refusal.body) }
            throw DeviceError(.disconnected, "\(endpoint) ended the stream")
        }
    }

    func refusalError(_ status: Int, _ body: [UInt8]) -> DeviceError {
        let code: DeviceError.Code =
            switch status {
            case 401: .unauthorized
            case 404: .unknownDevice
            default: .refused
            }
        return DeviceError(
            code,
            "\(endpoint) answered \(status): \(ProblemDocument(body)?.message ?? "no reason given")")
    }

    private func exchange<Result: Sendable>(
        _ method: HTTPMethod, _ path: String, headers: [(String, String)], body: [UInt8]?,
        _ read: (NIOAsyncChannelInboundStream<HTTPClientResponsePart>) async throws -> Result
    ) async throws -> Result {
        let channel: Exchange
        do {
            channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(.seconds(5))
                .connect(host: endpoint.host, port: endpoint.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHTTPClientHandlers()
                        return try Exchange(wrappingChannelSynchronously: channel)
                    }
                }
        } catch let error as NIOConnectionError where error.connectionErrors.isEmpty {
            throw DeviceError(
                .unknownHost,
                "cannot find the host \(endpoint.host); check its spelling, and the DNS of this machine")
        } catch {
            throw DeviceError(
                .unreachable, "nothing answers at \(endpoint): is the gateway running, and is this its control port?")
        }
        do {
            return try await perform(channel, method, path, headers: headers, body: body, read)
        } catch let error where ControlClient.isOfConnection(error) {
            throw DeviceError(.disconnected, "the connection to \(endpoint) broke: \(error)")
        }
    }

    /// Whether it is an error of the connection or its bytes, and not of the caller's closure.
    private static func isOfConnection(_ error: any Error) -> Bool {
        error is IOError || error is ChannelError || error is HTTPParserError || error is NIOAsyncWriterError
    }

    private func perform<Result: Sendable>(
        _ channel: Exchange, _ method: HTTPMethod, _ path: String, headers: [(String, String)], body: [UInt8]?,
        _ read: (NIOAsyncChannelInboundStream<HTTPClientResponsePart>) async throws -> Result
    ) async throws -> Result {
        try await channel.executeThenClose { inbound, outbound in
            var head = HTTPRequestHead(version: .http1_1, method: method, uri: endpoint.path + path)
            head.headers.add(name: "host", value: endpoint.authority)
            head.headers.add(name: "connection", value: "close")
            if let token = endpoint.token { head.headers.add(name: "authorization", value: "Bearer \(token)") }
            for (name, value) in headers { head.headers.add(name: name, value: value) }
            if let body {
                head.headers.add(name: "content-type", value: "application/json")
                head.headers.add(name: "content-length", value: "\(body.count)")
            }
            // In one write: a server that has the whole body may answer and close before a separate write of the end.
            var parts = [HTTPClientRequestPart.head(head)]
            if let body { parts.append(.body(.byteBuffer(ByteBuffer(bytes: body)))) }
            try await outbound.write(contentsOf: parts + [.end(nil)])
            return try await read(inbound)
        }
    }
}
