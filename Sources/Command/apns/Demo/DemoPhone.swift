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
    let store: SQLiteStore
    let sync: RecordSync
    let client: RESTClient
    private let tally: Tally
    private let device: DemoDevice<PushResult>

    static let objects = [
        SyncObject("Account", fields: ["Name", "OwnerId", "Type"]),
        SyncObject("Interaction", fields: ["Name", "OwnerId", "Status"]),
    ]

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

        let device = try await DemoDevice(name, at: backEnd.gateway) { push in
            await dispatcher.handle(Push(json: Data(push.payload)), from: .background)
        }
        self.device = device
        // The system delivers only a few silent pushes an hour, and the demo needs more.
        _ = backEnd.gateway.patch(device.token, DevicePatch(budget: .lifted))
        do {
            _ = try await client.register(
                DeviceRegistration(hexDeviceToken: device.token.hex, bundleID: DemoBackEnd.topic.value))
        } catch {
            await device.stop()
            throw error
        }
    }

    var token: DeviceToken { device.token }

    func stop() async { await device.stop() }

    /// The results of the next pushes that the app handles.
    func handled(_ count: Int) async throws -> [PushResult] { try await device.handled(count) }

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
