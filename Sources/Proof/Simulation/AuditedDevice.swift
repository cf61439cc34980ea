import APNSModel
import Foundation
import GatewayCore
import PushDispatch
import SelectiveSync

/// A device: the state that survives the app's process, and the process if it is running.
///
/// @unchecked: only the thread of the simulation uses it.
final class AuditedDevice: @unchecked Sendable {
    let number: Int
    let name: String
    let token: DeviceToken
    unowned let run: Run
    /// Stands for a database on disk: it survives a crash.
    let disk: DeviceDisk
    private(set) var audit: DeviceAudit!
    /// The error of the device's clock.
    var clockOffset: Int64 = 0
    /// The user who is logged in, as stored in the keychain. At first the third device has another user than the other two.
    var account: RecordID?
    /// The session of that user, as stored in the keychain.
    var tokens: OAuthTokens?
    /// All refresh tokens that were stored at some time.
    var storedRefreshTokens: Set<String> = []
    var network = SyncNetwork.unmetered
    var scope = DeviceScope()
    /// How many requests of each kind get their answers late.
    var slow = SlowAnswers()
    private var slowStoreEnds: Int64 = 0
    private(set) var process: AppProcess?
    private(set) var isForceQuit = false

    init(number: Int, _ run: Run) throws {
        self.number = number
        self.run = run
        name = "device \(number)"
        token = DeviceToken(String(repeating: "ab1\(number)", count: 16))!
        let list = PendingList(maximumRecords: run.settings.maximumPending)
        disk =
            try run.folder.map { folder in
                .file(
                    try FileDisk(
                        folder.url.appendingPathComponent("device\(number)"), maximumPending: list.maximumRecords,
                        folder.open))
            } ?? .memory(MemoryRecordStore(list))
        account = run.org.users[number == 3 ? 1 : 0]
        audit = DeviceAudit(self, list)
        if run.settings.hasFilters {
            for object in AppProcess.objects { scope.filters[object] = run.newFilter() }
        }
    }

    /// How many creations, changes of any kind and selective fetches get their answers late.
    struct SlowAnswers {
        var creations = 0
        var changes = 0
        var fetches = 0
    }

    /// Whether each call of the store takes long at the moment.
    var hasSlowStore: Bool { run.injectsFaults && run.timeline.now < slowStoreEnds }

    func slowStore(for milliseconds: Int64) {
        run.trace("\(name) has a slow store for \(milliseconds / 1_000) s")
        slowStoreEnds = run.timeline.now + milliseconds
    }

    var wallClock: ServerDate {
        ServerDate(millisecondsSince1970: run.orgNow.millisecondsSince1970 + clockOffset)
    }

    /// - Returns: The running process.
    @discardableResult
    func launch() -> AppProcess {
        if let process { return process }
        isForceQuit = false
        if run.settings.changesFields, run.injectsFaults, run.chance(20) {
            scope.version = run.number(below: DeviceScope.versions)
            run.count(.appUpdate)
            run.trace("\(name) gets version \(scope.version) of the app")
        }
        let process = AppProcess(self)
        self.process = process
        run.trace("\(name) launches the app")
        run.pushService.patch(self, DevicePatch(appState: .background))
        process.open()
        return process
    }

    func crash() {
        guard process != nil else { return }
        run.count(.crash)
        run.trace("\(name): the app crashes")
        kill(quietly: false)
    }

    func kill(quietly: Bool) {
        end()
        if !quietly { run.pushService.patch(self, DevicePatch(appState: .terminated)) }
    }

    private func end() {
        process?.end()
        process = nil
        disk.killed()
    }

    func forceQuit() {
        run.count(.forceQuit)
        run.trace("\(name): its user force-quits the app")
        end()
        isForceQuit = true
        run.pushService.patch(self, DevicePatch(appState: .forceQuit))
    }

    func connect(to network: SyncNetwork) {
        guard network != self.network else { return }
        run.trace("\(name) is \(network.rawValue)")
        run.noteFault()
        let wasOffline = self.network == .offline
        self.network = network
        if network == .offline { run.count(.offline) }
        process?.networkChanged(wasOffline: wasOffline)
        run.pushService.patch(self, DevicePatch(isOnline: network != .offline))
    }

    /// A push arrives at the device.
    func receive(_ payload: [UInt8]) {
        guard !isForceQuit else { return run.trace("\(name) drops a push: the app was force-quit") }
        run.count(.pushDelivered)
        let process = launch()
        process.wake(payload, from: .background)
        guard run.chance(run.settings.twinPercent) else { return }
        let later = Int64(run.number(below: 1_500))
        run.timeline.after(later) { [weak process] in
            process?.wake(payload, from: self.run.chance(50) ? .foreground : .tap)
        }
    }
}
