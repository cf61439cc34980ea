public import APNSModel
import NIOHTTP1
import PayloadJSON

/// A simulated device's connection to the gateway: registers, listens, and reconnects without losing a delivery.
public struct DeviceConnection: Sendable {
    public let topic: Topic
    private let client: ControlClient
    private let wait: @Sendable (Duration) async throws -> Void

    public init(_ endpoint: ControlEndpoint, topic: Topic) {
        self.init(endpoint, topic: topic) { try await Task.sleep(for: $0) }
    }

    /// - Parameter wait: Called between two attempts to reconnect.
    init(_ endpoint: ControlEndpoint, topic: Topic, wait: @escaping @Sendable (Duration) async throws -> Void) {
        self.topic = topic
        self.wait = wait
        client = ControlClient(endpoint: endpoint)
    }

    /// Registers the app on this device.
    ///
    /// - Parameter token: Nil lets the gateway generate one.
    public func register(_ token: DeviceToken?) async throws -> DeviceToken {
        var body = Array(#"{"topic":"\#(topic.value)""#.utf8)  // a topic has no character that JSON escapes
        if let token { body += #","token":"\#(token.hex)""#.utf8 }
        body += "}".utf8
        let response = try await client.call(.POST, "/api/devices", body: body)
        guard response.status == 201 || response.status == 200 else {
            throw client.refusalError(response.status, response.body)
        }
        guard let token = DeviceConnection.token(in: response.body) else {
            throw DeviceError(.refused, "\(client.endpoint) answered without a device token; is it a gateway?")
        }
        return token
    }

    /// Subscribes the device to these channels, and to no others.
    public func subscribe(_ token: DeviceToken, to channels: [String]) async throws {
        let list = channels.map { JSONWriter.quoted($0) }.joined(separator: ",")
        let response = try await client.call(
            .PATCH, "/api/devices/\(token.hex)", body: Array("{\"channels\":[\(list)]}".utf8))
        guard response.status == 200 else { throw client.refusalError(response.status, response.body) }
    }

    /// The device as the gateway sees it.
    public func state(of token: DeviceToken) async throws -> DeviceState {
        let response = try await client.call(.GET, "/api/devices/\(token.hex)")
        guard response.status == 200, let state = DeviceState(response.body) else {
            throw client.refusalError(response.status, response.body)
        }
        return state
    }

    private static func token(in json: [UInt8]) -> DeviceToken? {
        guard let document = try? JSONDocument(json), let member = document.member("token", of: .root) else {
            return nil
        }
        return document.string(of: member).flatMap { DeviceToken($0) }
    }

    /// If nothing answers, this does nothing; the next attempt to listen reports it.
    ///
    /// - Parameter isKnown: Whether the gateway has the device, so that only the channels are missing.
    private func registerAgain(_ token: DeviceToken, _ channels: [String], isKnown: Bool) async throws {
        do {
            if !isKnown { _ = try await register(token) }
            if !channels.isEmpty { try await subscribe(token, to: channels) }
        } catch let error as DeviceError where [.unreachable, .unknownHost, .disconnected].contains(error.code) {}
    }

    private func events(
        _ bytes: [UInt8], _ parser: inout EventStreamParser
    ) throws(DeviceError) -> [EventStreamParser.Event] {
        do throws(EventStreamParser.Failure) {
            return try parser.receive(bytes)
        } catch {
            throw DeviceError(
                .refused, "\(client.endpoint) sent an event of more than 1 MiB; is it the control API of a gateway?")
        }
    }

    public enum Event: Hashable, Sendable {
        case connected
        case delivered(DeliveredPush)
        /// The gateway no longer has what came before, so deliveries may be missing.
        case gap
        /// The app was reinstalled or restored, and listens with this device token from now on.
        case moved(DeviceToken)
        /// The connection broke; the device reconnects by itself.
        case disconnected(String)
    }

    /// Listens until the task is cancelled, `handle` throws, or the gateway refuses this device. If the gateway no longer has
    /// the device, because it was restarted, the device registers again.
    ///
    /// A delivery counts as received once `handle` has returned; after a reconnect the gateway sends all later ones.
    ///
    /// - Parameters:
    ///   - lastID: The `apns-unique-id` of the last delivery that was received before; nil begins with what is stored.
    ///   - channels: What the device subscribes to, in case it has to register again or gets another device token.
    public func listen(
        _ token: DeviceToken, after lastID: String? = nil, channels: [String] = [],
        handle: (Event) async throws -> Void
    ) async throws {
        var (token, lastID) = (token, lastID)
        var failures = 0
        var wasConnected = false
        while true {
            var parser = EventStreamParser()
            var next: DeviceToken?
            do {
                let resume = lastID.map { [("last-event-id", $0)] } ?? []
                try await client.stream("/api/devices/\(token.hex)/deliveries", headers: resume) {
                    failures = 0
                    wasConnected = true
                    try await handle(.connected)
                } receive: { bytes in
                    for event in try events(bytes, &parser) {
                        switch event.name {
                        case "gap": try await handle(.gap)
                        case "token": next = DeviceConnection.token(in: event.data)
                        case "message":
                            guard let push = DeliveredPush(event.data, id: event.id) else { break }
                            try await handle(.delivered(push))
                            lastID = push.uniqueID
                        default: break
                        }
                    }
                }
            } catch let error as DeviceError where error.code != .refused && error.code != .unauthorized {
                try Task.checkCancellation()
                if let next {
                    (token, lastID) = (next, nil)
                    try await handle(.moved(next))
                    try await registerAgain(next, channels, isKnown: true)
                    continue
                }
                // The first attempt throws instead of trying forever.
                guard wasConnected || error.code == .disconnected else { throw error }
                try await handle(.disconnected(error.detail))
                if error.code == .unknownDevice { try await registerAgain(token, channels, isKnown: false) }
            }
            failures += 1
            try await wait(.milliseconds(min(5000, 100 << min(failures, 6))))
        }
    }
}
