import WorkerCore

/// Tenants of which a worker that reads its credentials again does not take everything before a restart, by their labels.
package struct ReloadedTenants: Hashable, Sendable {
    /// Those with another gateway or environment. They keep all they had: new credentials may be refused where the old destination
    /// is, and feedback names the environment in which a device token is dead.
    package var moved: [String] = []
    /// Those with another rate, which keep the old one.
    package var limited: [String] = []

    package init(moved: [String] = [], limited: [String] = []) {
        self.moved = moved
        self.limited = limited
    }

    /// Notes what a tenant has now.
    ///
    /// - Returns: Whether its credentials are taken.
    mutating func note(_ new: TenantSettings, for old: TenantSettings) -> Bool {
        if new.rate != old.rate { limited.append(old.label) }
        guard new.host == old.host, new.environment == old.environment else {
            moved.append(old.label)
            return false
        }
        return true
    }
}
