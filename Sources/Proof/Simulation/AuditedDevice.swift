import APNSModel
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
    let store: MemoryRecordStore
    private(set) var audit: DeviceAudit!
    /// The error of the device's clock.
    var clockOffset: Int64 = 0
    /// The user who is logged in, as stored in the keychain.
    var account: RecordID?
    var session: String?
    var network = SyncNetwork.unmetered
    private(set) var process: AppProcess?
    private var processes = 0
    private(set) var isForceQuit = false

    init(number: Int, _ run: Run) {
        self.number = number
        self.run = run
        name = "device \(number)"
        token = DeviceToken(String(repeating: "ab1\(number)", count: 16))!
        let list = PendingList(maximumRecords: run.settings.maximumPending)
        store = MemoryRecordStore(list)
        account = run.org.users[(number - 1) % 2 == 1 && number == 3 ? 1 : 0]
        audit = DeviceAudit(self, list)
    }

    var wallClock: ServerDate {
        ServerDate(millisecondsSince1970: run.orgNow.millisecondsSince1970 + clockOffset)
    }

    /// - Returns: The running process.
    @discardableResult
    func launch() -> AppProcess {
        if let process { return process }
        isForceQuit = false
        processes += 1
        let process = AppProcess(self, number: processes)
        self.process = process
        run.trace("\(name) launches the app")
        run.pushService.patch(self, DevicePatch(appState: .background))
        process.open()
        return process
    }

    /// Logs the user out.
    func endSession() {
        if let session { run.org.endSession(session) }
        session = nil
        account = nil
    }

    func crash() {
        guard process != nil else { return }
        run.count(.crash)
        run.trace("\(name): the app crashes")
        kill(quietly: false)
    }

    func kill(quietly: Bool) {
        process?.end()
        process = nil
        if !quietly { run.pushService.patch(self, DevicePatch(appState: .terminated)) }
    }

    func forceQuit() {
        run.count(.forceQuit)
        run.trace("\(name): its user force-quits the app")
        process?.end()
        process = nil
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
