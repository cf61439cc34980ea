import APNSModel
import HTTP2Session
import Synchronization
import TestSupport
import Testing

@testable import APNSProvider

/// Requests about channels, to a gateway on a loopback port.
@Suite(.timeLimit(.minutes(10))) struct ChannelManagerTests {
    private static let app = Topic("com.example.agent")!
    private static let id = ChannelID("dHN0LXNyY2gtY2hubA==")!
    private static let requestID = NotificationID("9d1f0a52-1111-4222-8333-abcdefabcdef")!

    private static func with(
        _ script: @escaping @Sendable (ScriptedGateway.Request) -> ScriptedGateway.Answer,
        change: (inout ProviderConfiguration) -> Void = { _ in },
        _ body: (ChannelManager, ScriptedGateway) async throws -> Void
    ) async throws {
        try await ScriptedGateway.with(script: script) { gateway, configuration in
            var configuration = configuration
            change(&configuration)
            let manager = try ChannelManager(configuration)
            try await body(manager, gateway)
            await manager.close()
        }
    }

    /// The error of a request that the script answers.
    private static func error(
        _ script: @escaping @Sendable (ScriptedGateway.Request) -> ScriptedGateway.Answer,
        change: (inout ProviderConfiguration) -> Void = { _ in },
        _ request: (ChannelManager) async throws -> Void
    ) async throws -> ChannelError? {
        var error: ChannelError?
        try await with(script, change: change) { manager, _ in
            error = await #expect(throws: ChannelError.self) { try await request(manager) }
        }
        #expect(error?.detail.contains("notification") == false, "\(error?.detail ?? "")")
        return error
    }

    @Test func `a channel is created, with the headers and the body that APNs wants`() async throws {
        let script: @Sendable (ScriptedGateway.Request) -> ScriptedGateway.Answer = {
            .answer(201, ["apns-request-id": $0.fields["apns-request-id"] ?? "", "apns-channel-id": Self.id.base64])
        }
        try await Self.with(script) { manager, gateway in
            #expect(
                try await manager.create(for: Self.app, storing: .nothing, requestID: Self.requestID) == Self.id)
            let request = try #require(gateway.log.withLock { $0.requests.first })
            var fields = request.fields
            #expect(fields.removeValue(forKey: "authorization")?.hasPrefix("bearer ey") == true)
            #expect(
                fields == [
                    ":method": "POST", ":scheme": "https", ":authority": "localhost:\(gateway.port)",
                    ":path": "/1/apps/com.example.agent/channels", "apns-request-id": Self.requestID.text,
                ])
            #expect(
                String(decoding: request.body, as: UTF8.self)
                    == #"{"message-storage-policy":0,"push-type":"LiveActivity"}"#)
        }
    }

    @Test func `reading and deleting name the channel in a header`() async throws {
        let script: @Sendable (ScriptedGateway.Request) -> ScriptedGateway.Answer = {
            $0.fields[":method"] == "GET"
                ? .answer(200, [:], #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#) : .answer(204)
        }
        try await Self.with(script) { manager, gateway in
            #expect(
                try await manager.read(Self.id, of: Self.app)
                    == APNSChannel(id: Self.id, storage: .mostRecentMessage, pushType: "LiveActivity"))
            try await manager.delete(Self.id, of: Self.app)
            let requests = gateway.log.withLock { $0.requests }
            #expect(requests.map { $0.fields[":method"] } == ["GET", "DELETE"])
            #expect(requests.allSatisfy { $0.fields["apns-channel-id"] == Self.id.base64 && $0.body.isEmpty })
            #expect(requests.allSatisfy { NotificationID($0.fields["apns-request-id"] ?? "") != nil })
            #expect(gateway.log.withLock { $0.connections } == 1)
        }
    }

    @Test func `a list of ten thousand channels with long ids comes whole`() async throws {
        let ids = (0..<10_000).map {
            ChannelID(bytes: Array(repeating: UInt8($0 % 256), count: 96) + [UInt8($0 / 256)])
        }
        let body = #"{"channels":[\#(ids.map { "\"\($0)\"" }.joined(separator: ","))]}"#
        try await Self.with({ _ in .answer(200, [:], body) }) { manager, _ in
            let list = try await manager.list(of: Self.app)
            #expect(list == ids)
        }
    }

    @Test func `an answer of more than the maximum is no list`() async throws {
        let body = String(repeating: " ", count: ChannelManager.maximumBodyBytes + 1)
        let error = try await Self.error({ _ in .answer(200, [:], body) }) { _ = try await $0.list(of: Self.app) }
        #expect(error?.code == .badAnswer || error?.code == .unknown)
        #expect(error?.isSafeToRetry == true)
    }

    @Test func `a refusal has its reason and the id of the request`() async throws {
        let script: @Sendable (ScriptedGateway.Request) -> ScriptedGateway.Answer = { _ in
            .answer(
                400, ["apns-request-id": "0a1b2c3d-4e5f-6789-abcd-ef0123456789"],
                #"{"reason":"ChannelNotRegistered"}"#)
        }
        let error = try await Self.error(script) { try await $0.delete(Self.id, of: Self.app) }
        #expect(error?.code == .refused && error?.refusal?.reason == .channelNotRegistered)
        #expect(error?.requestID == "0a1b2c3d-4e5f-6789-abcd-ef0123456789" && error?.isSafeToRetry == true)
        #expect(error?.detail == "the gateway refused the request with ChannelNotRegistered (400)")
    }

    @Test func `an answer that cannot be read is an error that says what it lacks`() async throws {
        let created = try await Self.error({ _ in .answer(201) }) {
            _ = try await $0.create(for: Self.app, storing: .nothing)
        }
        #expect(created?.code == .badAnswer && created?.isSafeToRetry == false)
        #expect(created?.detail.contains("no apns-channel-id") == true)
        let read = try await Self.error({ _ in .answer(200, [:], "<html>") }) {
            _ = try await $0.read(Self.id, of: Self.app)
        }
        #expect(read?.code == .badAnswer && read?.isSafeToRetry == true)
    }

    @Test func `a channel that may have been created is not safe to create again`() async throws {
        let created = try await Self.error({ _ in .disconnect }) {
            _ = try await $0.create(for: Self.app, storing: .nothing)
        }
        #expect(created?.code == .unknown && created?.isSafeToRetry == false)
        #expect(created?.cause?.code == .connectionLost)
        #expect(created?.detail.hasSuffix(" before the answer came; the request may have been processed") == true)
        let list = try await Self.error({ _ in .disconnect }) { _ = try await $0.list(of: Self.app) }
        #expect(list?.code == .unknown && list?.isSafeToRetry == true)
    }

    @Test func `a request that the gateway surely did not process is sent again`() async throws {
        let script: @Sendable (ScriptedGateway.Request) -> ScriptedGateway.Answer = {
            switch $0.number {
            case 0: .reset(.refusedStream)
            case 1: .goAwayBefore
            default: .answer(201, ["apns-channel-id": Self.id.base64])
            }
        }
        try await Self.with(script) { manager, gateway in
            let id = try await manager.create(for: Self.app, storing: .nothing)
            #expect(id == Self.id)
            #expect(gateway.log.withLock { $0.requests.count } == 3)
        }
    }

    @Test func `a gateway that is not there is named`() async throws {
        let port = try HeldPort()
        let change = { (configuration: inout ProviderConfiguration) in
            configuration.gateway.port = port.number
            configuration.connectAttempts = 2
        }
        let error = try await Self.error({ _ in .accept }, change: change) { _ = try await $0.list(of: Self.app) }
        #expect(error?.code == .unsent && error?.cause?.code == .connectionFailed && error?.isSafeToRetry == true)
        #expect(error?.detail.contains("localhost:\(port.number)") == true)
    }

    @Test func `a closed manager says so`() async throws {
        try await Self.with({ _ in .accept }) { manager, _ in
            await manager.close(within: .seconds(1))
            let error = await #expect(throws: ChannelError.self) { _ = try await manager.list(of: Self.app) }
            #expect(error?.code == .unsent && error?.cause?.code == .providerClosed)
        }
    }
}
