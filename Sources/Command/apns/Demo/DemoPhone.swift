import APNSModel
import DeviceSimulator
import Foundation
import GatewayCore
import GatewayServer
import OrgSimulator
import PushDispatch
import SelectiveSync
import SelectiveSyncSQLite
import Synchronization

/// A device of the user, in this process: its connection to the gateway, and an app with the app libraries and a store in a
/// file.
final class DemoPhone: Sendable {
    let name: String
    let token: DeviceToken
    let store: SQLiteStore
    let sync: RecordSync
    let client: RESTClient
    private let tally: Tally
    private let listening: Task<Void, any Error>
    private let results: AsyncStream<PushResult>

    static let objects = [
        SyncObject("Account", fields: ["Name", "OwnerId", "Type"]),
        SyncObject("Interaction", fields: ["Name", "OwnerId", "Status"]),
    ]

    /// How long to wait for the next event.
    private static let deadline: Duration = .seconds(30)
    private static let timeMilliseconds: Int64 = 60_000

    /// What happened in the app.
    final class Tally: Sendable {
        private let counts = Mutex((dirty: 0, refreshes: 0))

        func merged(_ merge: MergeCounts) { counts.withLock { $0.dirty += merge.dirty } }
        func refreshed() { counts.withLock { $0.refreshes += 1 } }

        /// Fetched records that were not merged because of an unsent edit.
        var dirty: Int { counts.withLock { $0.dirty } }
        var refreshes: Int { counts.withLock { $0.refreshes } }
    }

    /// Logs in, registers with the gateway and with the CRM, and listens.
    ///
    /// - Parameter folder: The folder of the store.
    init(_ name: String, at backEnd: DemoBackEnd, in folder: URL) async throws {
        self.name = name
        let tally = Tally()
        self.tally = tally
        let session = try OAuthSession(
            backEnd.oauthApp, storage: MemoryTokenStorage(),
            onEvent: { if case .renewed = $0 { tally.refreshed() } })
        try await session.logIn(backEnd.logIn())
        client = RESTClient(session: session)
        store = try SQLiteStore(file: folder.appendingPathComponent("\(name).sqlite").path)
        sync = RecordSync(objects: DemoPhone.objects, fetcher: client, store: store) { event in
            if case .merged(_, let counts) = event { tally.merged(counts) }
        }
        try await sync.logIn(DemoBackEnd.user.description)
        let dispatcher = PushDispatcher(handler: sync, pending: store)

        guard let endpoint = ControlEndpoint(url: backEnd.gateway.controlURL, token: nil) else {
            throw CommandError("the gateway has no address")
        }
        let connection = DeviceConnection(endpoint, topic: DemoBackEnd.topic)
        let token = try await connection.register(nil)
        self.token = token
        // The system delivers only a few silent pushes an hour, and the demo needs more.
        _ = backEnd.gateway.patch(token, DevicePatch(budget: .lifted))
        _ = try await client.register(
            DeviceRegistration(hexDeviceToken: token.hex, bundleID: DemoBackEnd.topic.value))
        let (stream, continuation) = AsyncStream.makeStream(of: PushResult.self)
        let (connected, isConnected) = AsyncStream.makeStream(of: Void.self)
        results = stream
        listening = Task {
            defer { isConnected.finish() }
            try await connection.listen(token) { event in
                switch event {
                case .connected: isConnected.finish()
                case .delivered(let push):
                    continuation.yield(await dispatcher.handle(Push(json: Data(push.payload)), from: .background))
                case .gap, .moved, .disconnected: break
                }
            }
        }
        for await _ in connected {}
    }

    func stop() async {
        listening.cancel()
        _ = await listening.result
    }

    /// The results of the next pushes that the app handles.
    func handled(_ count: Int) async throws -> [PushResult] {
        let results = results
        return try await withThrowingTaskGroup(of: [PushResult].self) { group in
            group.addTask {
                var all: [PushResult] = []
                guard count > 0 else { return all }
                for await result in results {
                    all.append(result)
                    if all.count == count { break }
                }
                return all
            }
            group.addTask { [name] in
                try await Task.sleep(for: DemoPhone.deadline)
                throw CommandError("the \(name) did not get its pushes in time", .no)
            }
            defer { group.cancelAll() }
            let first = try await group.next() ?? []
            // A cancelled stream ends early.
            try Task.checkCancellation()
            return first
        }
    }

    var dirtySkips: Int { tally.dirty }
    var refreshes: Int { tally.refreshes }

    private var stopAt: DispatchMoment {
        SystemDispatchClock().now().advanced(byMilliseconds: DemoPhone.timeMilliseconds)
    }

    /// The regular sync of all objects.
    ///
    /// - Returns: How many records it changed.
    func regularSync() async throws -> Int {
        var changed = 0
        for object in DemoPhone.objects {
            let now = ServerDate(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1000))
            let report = await sync.regularSync(of: object.name, from: client, now: now, until: stopAt)
            guard report.state == .done else {
                throw CommandError("the \(name)'s regular sync did not end: \(report.state)", .no)
            }
            changed += report.changed
        }
        return changed
    }

    /// Edits a record as the user does without a connection.
    func edit(_ id: RecordID, _ field: String, _ value: JSONValue) async throws {
        guard var record = try await store.record(id, of: "Account") else {
            throw CommandError("the \(name) does not have the record \(id)", .no)
        }
        record.fields[field] = value
        record.changes.insert(.updated)
        try await store.put(record, of: "Account")
    }

    /// Sends the edits.
    ///
    /// - Parameter overwrites: Also over what has changed at the CRM since.
    func upload(overwrites: Bool) async -> UploadReport {
        await sync.upload("Account", to: client, mode: overwrites ? .overwrite : nil, until: stopAt)
    }

    func value(_ field: String, of id: RecordID) async throws -> String {
        try await store.record(id, of: "Account")?.fields[field]?.string ?? "nothing"
    }

    /// How many records the store has with the same fields as the CRM, and how many records each has.
    func matches(_ backEnd: DemoBackEnd) async throws -> (same: Int, here: Int, there: Int) {
        var (same, here, there) = (0, 0, 0)
        for object in DemoPhone.objects {
            let local = try await store.records(of: object.name)
            let remote = backEnd.records(of: object.name)
            here += local.count
            there += remote.count
            let byID = Dictionary(
                uniqueKeysWithValues: local.compactMap { record in record.key.id.map { ($0, record) } })
            same += remote.count { record in
                guard let own = byID[record.id], !own.isDirty else { return false }
                return object.fields.allSatisfy { (own.fields[$0] ?? .null) == record.value(of: $0) }
            }
        }
        return (same, here, there)
    }
}
