public import Foundation
public import PushDispatch
public import SelectiveSync
public import SelectiveSyncSQLite

/// The app's objects, created once at each launch, before the system calls the app.
public struct AppCore: Sendable {
    public let store: SQLiteStore
    public let sync: RecordSync
    public let dispatcher: PushDispatcher
    public let reminders = Reminders()
    private let server: any RecordSource & RecordUploader
    private let clock: any DispatchClock

    /// - Parameters:
    ///   - user: The user who is logged in when the process starts, as the app remembers it; nil if none is. The push
    ///     that starts the process is handled before `logIn(_:)`.
    ///   - folder: An existing folder for the database.
    ///   - server: A `RESTClient`, or a double.
    ///   - clock: The phone's clock in a test.
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
            user: user.map { .user($0) } ?? .loggedOut, pending: store, clock: clock, onEvent: { log.add($0) })
        self.server = server
        self.clock = clock
    }

    /// The fields that the app stores of each object. Pictures of visits are large, so they wait for Wi-Fi.
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
    /// Call this after a log-in, and at each launch with a user who is logged in.
    ///
    /// - Throws: `SyncStoreError.unsentEdits` if the store holds edits of another user. Ask the user, then call this
    ///   again with `discardingEdits`.
    public func logIn(_ user: String, discardingEdits: Bool = false) async throws {
        try await sync.logIn(user, discardingEdits: discardingEdits)
        try await dispatcher.userChanged(to: .user(user))
    }

    /// From now on pushes are ignored. Pending hints are removed. The records stay, in case the same user logs in
    /// again.
    public func logOut() async throws {
        try await dispatcher.userChanged(to: .loggedOut)
        try await sync.logOut()
    }
}

// MARK: - Regular sync

extension AppCore {
    /// Uploads the user's edits and syncs all objects. Call this at launch, when the app comes to the foreground, from
    /// a background task, and when hints of an object had to be dropped. Even without push it keeps the app up to date.
    ///
    /// - Parameter seconds: No request starts later than this.
    /// - Returns: A report for each object.
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

    /// Call this when `NWPathMonitor` reports another network. Pending hints are fetched as soon as the network allows.
    public func networkChanged(to network: SyncNetwork) async {
        await sync.networkChanged(to: network)
        guard network != .offline else { return }
        _ = await sync.drain(until: clock.now().advanced(byMilliseconds: 25_000))
    }
}
