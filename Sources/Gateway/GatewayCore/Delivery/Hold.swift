/// Why a reachable device does not get a notification yet.
package struct Hold: Hashable, Sendable, Codable {
    package enum Cause: String, Hashable, Sendable, Codable, CaseIterable {
        /// The app has used its budget of this period.
        case budget
        /// Priority 5 in low-power mode: it is delivered with the next group.
        case power
        /// Priority 1 does not wake the device.
        case sleep
        /// Low-power mode suspends background work, and priority 1 with it.
        case lowPower = "low-power"
        /// Low Data Mode suspends background work.
        case lowData = "low-data"
        case backgroundRefresh = "background-refresh"
        case forceQuit = "force-quit"
    }

    package let cause: Cause
    /// When it is decided again; nil for not before the device changes. Milliseconds since 1970.
    package let until: Int64?

    /// Whether it waits for a group that is delivered now.
    func isGroupDue(at now: Int64) -> Bool { cause == .power && until.map { $0 <= now } ?? false }
}
