/// What a plan cost, and how old the copies on the devices were.
package struct StalenessReport: Sendable {
    /// The times from a change until a device whose user may see the record has it, or a newer one, in milliseconds.
    package struct Ages: Sendable {
        private var values: [Int64] = []

        package init() {}

        package var count: Int { values.count }

        mutating func add(_ milliseconds: Int64) { values.append(milliseconds) }

        mutating func add(_ other: Ages) { values += other.values }

        /// The smallest time that this share of the changes does not exceed, by the nearest rank; nil without changes.
        ///
        /// - Parameter percent: From 1 to 100.
        package func percentile(_ percent: Int) -> Int64? {
            values.isEmpty ? nil : values.sorted()[(values.count * percent + 99) / 100 - 1]
        }
    }

    /// Of changes on the devices of the user who made them.
    package var own = Ages()
    /// Of changes on the devices of the other user.
    package var others = Ages()
    /// Requests of all devices to the org in the measured day.
    package var requests = 0
    /// Records in the answers to them.
    package var records = 0
    /// Pushes that reached an app in the measured day.
    package var wakes = 0
    package var deviceDays = 0
    /// Violations of invariants, each with its seed.
    package var violations: [String] = []

    package init() {}

    package mutating func add(_ other: StalenessReport) {
        own.add(other.own)
        others.add(other.others)
        requests += other.requests
        records += other.records
        wakes += other.wakes
        deviceDays += other.deviceDays
        violations += other.violations
    }
}
