import Foundation
import PushDispatch
import PushDispatchTesting
import SelectiveSync
import SelectiveSyncSQLite
import SyncAppCore

/// A phone with the app, its CRM, and a folder for its database, which outlives the app's process.
struct World {
    static let user = "005xx000001X8UzAAK"
    static let northwind = RecordID("001xx000003DGb2AAG")!

    let phone: TestPhone
    let server: Server
    let folder: URL
    let log: AppLog
    let lines = LogLines()

    init(_ app: TestPhone.AppState = .suspended) throws {
        let clock = PhoneClock()
        let server = Server(clock)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sync-app-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.server = server
        self.folder = folder
        let log = AppLog { [lines] in lines.add($0) }
        self.log = log
        phone = TestPhone(app, clock: clock) { _ in
            let core = try await World.launched(folder, server, log)
            return PhoneApp(core.dispatcher).comparing { try await core.store.records(of: "Account") }
        }
    }

    private static func launched(_ folder: URL, _ server: Server, _ log: AppLog) async throws -> AppCore {
        let core = try AppCore(user: World.user, folder: folder, server: server, clock: server.clock, log: log)
        try await core.logIn(World.user)
        return core
    }

    /// Launches the app without a phone, for a test that uses its objects.
    func launched() async throws -> AppCore { try await World.launched(folder, server, log) }

    /// A phone that runs this app.
    func phone(with core: AppCore) -> TestPhone { TestPhone(clock: server.clock) { _ in PhoneApp(core.dispatcher) } }

    /// A second connection to the app's database.
    var store: SQLiteStore {
        get throws { try SQLiteStore(file: folder.appendingPathComponent("records.sqlite").path) }
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
}

/// Runs a test in a new world.
func withWorld(
    _ app: TestPhone.AppState = .suspended, isolation: isolated (any Actor)? = #isolation,
    _ test: (World) async throws -> Void
) async throws {
    let world = try World(app)
    defer { world.remove() }
    try await test(world)
}
