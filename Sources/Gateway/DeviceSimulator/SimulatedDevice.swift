public import APNSModel
public import Foundation
public import PushDispatch
public import SelectiveSync
import Synchronization

/// A simulated device with an app: deliveries go through `PushDispatch` to a selective sync over the org's REST interface,
/// into a store.
public struct SimulatedDevice: Sendable {
    public enum Event: Sendable {
        /// With the device as the gateway sees it, if it answered.
        case connected(DeviceState?)
        case disconnected(String)
        case gap
        /// The app has this device token from now on.
        case moved(DeviceToken)
        case received(DeliveredPush)
        /// An attempt to forward it.
        case forwarding(DeliveryForwarder.Event, DeliveredPush)
        case dispatch(DispatchEvent)
        case sync(SyncEvent)
        /// A record that the push named, as the device's store now has it.
        case stored(object: String, ServerRecord)
        /// The result that the app gave to the system.
        case finished(PushResult, DeliveredPush, Duration)
    }

    /// Where records are fetched from.
    public struct Org: Sendable {
        public var instance: URL
        public var accessToken: String

        public init(instance: URL, accessToken: String) {
            self.instance = instance
            self.accessToken = accessToken
        }
    }

    public let store = MemoryRecordStore()
    private let connection: DeviceConnection
    private let dispatcher: PushDispatcher
    private let entryPoint: EntryPoint
    private let forwarder: DeliveryForwarder?
    private let named = NamedRecords()
    private let onEvent: @Sendable (Event) -> Void

    /// The objects that the simulated app syncs, with their fields.
    public static let objects = [
        SyncObject("Account", fields: ["Name", "OwnerId", "Type"]),
        SyncObject("Interaction", fields: ["Name", "OwnerId"]),
    ]

    /// - Parameters:
    ///   - org: Nil for a device without a back end: hints are dispatched and stay pending.
    ///   - forwarder: Forwards each push before the app on this device gets it; nil for none.
    ///   - onEvent: Called for each event, in order.
    public init(
        _ connection: DeviceConnection, org: Org?, entryPoint: EntryPoint = .background,
        forwarder: DeliveryForwarder? = nil,
        onEvent: @escaping @Sendable (Event) -> Void
    ) {
        self.connection = connection
        self.entryPoint = entryPoint
        self.forwarder = forwarder
        self.onEvent = onEvent
        let fetcher = RESTClient { refused in
            guard let org else {
                throw FetchError(.noSession, advice: .keep, "this device has no back end to fetch from")
            }
            guard refused == nil else {
                throw FetchError(.noSession, advice: .logIn, "the back end does not accept the access token")
            }
            return ServerSession(instance: org.instance, accessToken: org.accessToken)
        }
        // Pushes are handled one at a time, so there is nothing to gather.
        var policy = SyncPolicy()
        policy.gatherMilliseconds = 0
        let sync = RecordSync(
            objects: SimulatedDevice.objects, policy: policy, fetcher: fetcher, store: store
        ) { onEvent(.sync($0)) }
        dispatcher = PushDispatcher(handler: sync, pending: store) { [named] event in
            if case .started(let object, let records) = event { named.set(object, records) }
            onEvent(.dispatch(event))
        }
    }

    private func showStored() async {
        for (object, record) in named.take() {
            if let stored = await store.record(record, of: object)?.record {
                onEvent(.stored(object: object, stored))
            }
        }
    }

    /// Listens until the task is cancelled or `limit` pushes were handled.
    ///
    /// - Parameters:
    ///   - lastID: As in `DeviceConnection.listen`.
    ///   - channels: What the device has subscribed to.
    public func run(
        _ token: DeviceToken, limit: Int? = nil, after lastID: String? = nil, channels: [String] = []
    ) async throws {
        var (handled, current) = (0, token)
        do {
            try await connection.listen(token, after: lastID, channels: channels) { event in
                switch event {
                case .connected: onEvent(.connected(try? await connection.state(of: current)))
                case .disconnected(let why): onEvent(.disconnected(why))
                case .gap: onEvent(.gap)
                case .moved(let next):
                    current = next
                    onEvent(.moved(next))
                case .delivered(let push):
                    onEvent(.received(push))
                    if let forwarder,
                        await forwarder.forward(push, onEvent: { onEvent(.forwarding($0, push)) }) == .interrupted
                    {
                        throw CancellationError()
                    }
                    let start = ContinuousClock.now
                    let result = await dispatcher.handle(Push(json: Data(push.payload)), from: entryPoint)
                    let duration = ContinuousClock.now - start
                    await showStored()
                    onEvent(.finished(result, push, duration))
                    handled += 1
                    if handled == limit { throw LimitReached() }
                }
            }
        } catch is LimitReached {}
    }

    private struct LimitReached: Error {}
}

/// The records that the current push named, to be reported once it is handled.
private final class NamedRecords: Sendable {
    private let records = Mutex<[(String, RecordID)]>([])

    func set(_ object: String, _ ids: [RecordID]) { records.withLock { $0 += ids.map { (object, $0) } } }

    func take() -> [(String, RecordID)] {
        records.withLock { records in
            defer { records = [] }
            return records
        }
    }
}
