/// The access of an app's process to what is stored on its device. Each call may fail before it has an effect, and the process
/// may end before or after it.
///
/// @unchecked: only the thread of the simulation uses it.
final class ProcessDisk: @unchecked Sendable {
    struct Failed: Error {}

    /// What the disk reads from its device and reports to it.
    struct Device {
        let name: String
        let isFull: () -> Bool
        let failed: () -> Void
        let kill: () -> Void
    }

    private let run: any AppRun
    private let clock: ProcessClock
    private let device: Device

    init(_ run: any AppRun, _ clock: ProcessClock, _ device: Device) {
        self.run = run
        self.clock = clock
        self.device = device
    }

    /// - Parameter audit: Called with whether the process ends right after the call, which then has an effect that it
    ///   does not learn of.
    func perform<Result>(
        writes: Bool, _ failure: (_ isFull: Bool) -> any Error, _ body: () throws -> Result,
        audit: (_ isKilled: Bool) -> Void = { _ in }
    ) throws -> Result {
        guard clock.isRunning else { throw Failed() }
        if run.injectsFault(run.faults.storeKillPercent) { device.kill() }
        guard clock.isRunning else { throw Failed() }
        if device.isFull() && writes || run.injectsFault(run.faults.storeFaultPercent) {
            run.count(.storeFailed)
            device.failed()
            run.trace("\(device.name)'s store fails")
            throw failure(device.isFull())
        }
        let result = try body()
        let isKilled = writes && run.injectsFault(run.faults.storeKillPercent)
        audit(isKilled)
        if isKilled {
            device.kill()
            throw Failed()
        }
        return result
    }
}
