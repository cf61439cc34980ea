import Foundation
import PushDispatch
import PushDispatchTesting
import SelectiveSync
import SelectiveSyncSQLite
import SyncAppCore

/// A phone with the app, its CRM, and what outlives the app's process: a folder for its database, tokens and the system's
/// settings.
struct World {
    static let user = "005xx000001X8UzAAK"
    static let northwind = RecordID("001xx000003DGb2AAG")!

    let phone: TestPhone
    let server: Server
    let folder: URL
    let log: AppLog
    let lines = LogLines()
    let disk = Disk()
    let system = System()
    let reminders = Reminders()

    /// - Parameter user: Who is logged in when the process starts.
    init(_ state: TestPhone.AppState = .suspended, user: String? = World.user) throws {
        let clock = PhoneClock()
        let server = Server(clock)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sync-app-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.server = server
        self.folder = folder
        let log = AppLog { [lines] in lines.add($0) }
        self.log = log
        disk.keep(user.map(World.tokens))
        phone = TestPhone(state, clock: clock) { [disk, reminders] _ in
            let crm = try World.crm(folder, server, disk, reminders, log)
            return PhoneApp(receiver: crm).comparing {
                _ = try await crm.store()
                return try await World.store(in: folder).records(of: "Account")
            }
        }
    }

    static func tokens(of user: String) -> OAuthTokens {
        OAuthTokens(
            instance: URL(string: "https://example.my.example.com")!, accessToken: "access", refreshToken: "refresh",
            user: user)
    }

    private static func crm(
        _ folder: URL, _ server: Server, _ disk: Disk, _ reminders: Reminders, _ log: AppLog
    ) throws -> CRMSync {
        var configuration = CRMSync.Configuration.syncApp(
            tokens: disk, store: .sqlite(in: folder, indexes: AccountList.indexes), reminders: reminders, log: log)
        if disk.isLocked {
            configuration.store = StoreOpener {
                guard !disk.isLocked else { throw Disk.Locked() }
                return StoreOpener.Opened(try SQLiteStore.openOrReplace(file: SQLiteStore.file(in: folder)).store)
            }
        }
        configuration.registration?.storage = disk
        configuration.server = server
        configuration.registrar = server
        configuration.clock = server.clock
        configuration.now = { server.clock.date }
        return try CRMSync(configuration)
    }

    /// The objects of a new process, without a phone.
    func launched() throws -> CRMSync { try World.crm(folder, server, disk, reminders, log) }

    /// What asks for permission and device token in that process.
    func setup() -> PushSetup { PushSetup(system, onEvent: { [log] in log.add($0) }) }

    /// A phone that runs this app.
    func phone(with crm: CRMSync) -> TestPhone { TestPhone(clock: server.clock) { _ in PhoneApp(receiver: crm) } }

    /// A second connection to the app's database.
    var store: SQLiteStore {
        get throws { try World.store(in: folder) }
    }

    private static func store(in folder: URL) throws -> SQLiteStore {
        try SQLiteStore(file: SQLiteStore.file(in: folder))
    }

    var name: String? {
        get async throws { try await store.record(World.northwind, of: "Account")?.fields["Name"]?.string }
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }
}

extension Push {
    static let accountUpdate = Push([
        "aps": ["content-available": 1], "type": "ACCOUNT_UPDATE", "accountId": .string("\(World.northwind)"),
    ])
    static let visitReminder = Push([
        "aps": ["alert": "Visit in 15 minutes", "content-available": 1], "type": "VISIT_REMINDER",
        "visitId": .string("\(World.northwind)"), "minutes": 15,
    ])
}

/// Runs a test in a new world.
func withWorld(
    _ state: TestPhone.AppState = .suspended, user: String? = World.user, isolation: isolated (any Actor)? = #isolation,
    _ test: (World) async throws -> Void
) async throws {
    let world = try World(state, user: user)
    defer { world.remove() }
    try await test(world)
}
