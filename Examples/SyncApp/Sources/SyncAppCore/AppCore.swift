public import Foundation
public import PushDispatch
public import SelectiveSync
public import SelectiveSyncSQLite

/// The app's objects, made once at each launch, before the system can call back.
public struct AppCore: Sendable {
    public let store: SQLiteStore
    public let sync: RecordSync
    public let dispatcher: PushDispatcher
    public let reminders = Reminders()
    private let server: any RecordSource & RecordUploader
    private let clock: any DispatchClock

    /// - Parameters:
    ///   - user: Who is logged in as the process begins, from where the app remembers it; nil for nobody. A push may
    ///     have started the process, and is handled before `logIn(_:)` could say.
    ///   - folder: Where the database goes; it exists.
    ///   - server: A `RESTClient`, or a double.
    ///   - clock: The phone's in a test.
    public init(
        user: String?, folder: URL, server: any RecordSource & RecordUploader,
        clock: any DispatchClock = SystemDispatchClock(),
        log: AppLog = AppLog()
    ) throws {
        store = try SQLiteStore(file: folder.appendingPathComponent("records.sqlite").path)
        sync = RecordSync(
            objects: AppCore.objects, fetcher: server, store: store, clock: clock, onEvent: { log.add($0) })
        var policy = DispatchPolicy()
        policy.userKey = "userId"
        let reminders = reminders
        dispatcher = PushDispatcher(
            routes: PushTypes.routes(sync: sync, remind: { try await reminders.add($0) }), policy: policy,
            user: user.map { .user($0) } ?? .nobody, pending: store, clock: clock, onEvent: { log.add($0) })
        self.server = server
        self.clock = clock
    }

    /// What the app keeps of each object. Pictures of visits are large, so they wait for Wi-Fi.
    static var objects: [SyncObject] {
        var visits = SyncObject("Visit__c", fields: ["Name", "StartsAt__c", "Picture__c"])
        visits.network = .unmetered
        return [
            SyncObject("Account", fields: ["Name", "OwnerId", "Type"]),
            SyncObject("Case", fields: ["Subject", "Status"]),
            visits,
        ]
    }
}

// MARK: - Users

extension AppCore {
    /// After a log-in, and at each launch with a user who is still logged in.
    ///
    /// - Throws: `SyncStoreError.unsentEdits` where the store holds edits of another user. Ask, then call it again with
    ///   `discardingEdits`.
    public func logIn(_ user: String, discardingEdits: Bool = false) async throws {
        try await sync.logIn(user, discardingEdits: discardingEdits)
        try await dispatcher.userChanged(to: .user(user))
    }

    /// Pushes are ignored from here on, and waiting hints are dropped. The records stay for the same user's return.
    public func logOut() async throws {
        try await dispatcher.userChanged(to: .nobody)
        try await sync.logOut()
    }
}

// MARK: - The main road

extension AppCore {
    /// Sends the user's edits and brings everything up to date: at launch, when the app comes to the front, from a background task, and for
    /// objects of which pushes had to be dropped. With push switched off this alone keeps the app right.
    ///
    /// - Parameter seconds: No request begins later.
    /// - Returns: How each object's sync ended.
    @discardableResult
    public func refresh(within seconds: Int64 = 25, now: Date = Date()) async -> [String: RegularSyncReport] {
        let stopAt = clock.now().advanced(byMilliseconds: seconds * 1_000)
        let date = ServerDate(millisecondsSince1970: Int64(now.timeIntervalSince1970 * 1_000))
        var reports: [String: RegularSyncReport] = [:]
        for object in AppCore.objects {
            _ = await sync.upload(object.name, to: server, until: stopAt)
            reports[object.name] = await sync.regularSync(of: object.name, from: server, now: date, until: stopAt)
        }
        return reports
    }

    /// What the device is connected to, as `NWPathMonitor` tells it. What waited is fetched as soon as it may be.
    public func networkChanged(to network: SyncNetwork) async {
        await sync.networkChanged(to: network)
        guard network != .offline else { return }
        _ = await sync.drain(until: clock.now().advanced(byMilliseconds: 25_000))
    }
}
