import OrgSimulator
import PushDispatch
import SelectiveSync

/// What an app on a device keeps: the filter and the fields of each object. It outlives the app's process.
struct DeviceScope {
    static let regionField = "Region__c"
    static let regions = ["North", "South", "West"]

    /// A condition on the region, as the audit reads it.
    enum Filter: Hashable {
        case regions(Set<String>)
        /// Also records without a region.
        case others(than: Set<String>)

        func contains(_ row: OrgRecord) -> Bool {
            let region = row.value(of: DeviceScope.regionField).string
            return switch self {
            case .regions(let wanted): region.map(wanted.contains) ?? false
            case .others(let unwanted): region.map { !unwanted.contains($0) } ?? true
            }
        }

        var condition: RecordFilter {
            switch self {
            case .regions(let wanted): .field(DeviceScope.regionField, isOneOf: wanted.sorted().map { .string($0) })
            case .others(let unwanted):
                .not(.field(DeviceScope.regionField, isOneOf: unwanted.sorted().map { .string($0) }))
            }
        }
    }

    var filters: [String: Filter] = [:]
    /// Versions of the app have different fields; users edit only those that all versions have.
    var version = 0

    func contains(_ row: OrgRecord) -> Bool { filters[row.object]?.contains(row) ?? true }

    func fields(of object: String) -> [String] {
        let edited = object == "Account" ? ["Name", "Type"] : ["Name", "Status", "AccountId"]
        return edited + [["OwnerId"], [DeviceScope.regionField], ["OwnerId", DeviceScope.regionField]][version]
    }

    static let versions = 3
}

extension Run {
    /// A filter that a user's administrator or an app may choose; nil for all records.
    func newFilter() -> DeviceScope.Filter? {
        let some = Set(DeviceScope.regions.filter { _ in chance(50) })
        return pick([.regions(some), .regions(some), .others(than: some), nil]) ?? nil
    }

    func changeFilter(of device: AuditedDevice) {
        guard settings.hasFilters, let object = pick(AppProcess.objects) else { return }
        count(.filterChange)
        device.scope.filters[object] = newFilter()
        trace("\(device.name) has another filter for \(object)")
        device.process?.reportFilters()
    }
}

extension AppProcess {
    /// One loop reports the filters, because two tasks would report them in no fixed order.
    func reportFilters() {
        start { [self] in
            guard !isReportingFilters else { return }
            isReportingFilters = true
            defer { isReportingFilters = false }
            while clock.isRunning,
                let object = AppProcess.objects.first(where: { reportedFilters[$0] != device.scope.filters[$0] })
            {
                let filter = device.scope.filters[object]
                await sync.setFilter(filter?.condition, of: object)
                reportedFilters[object] = filter
            }
        }
    }

    /// Logs in with the filters of the device, which do not depend on the user here. Those that were set before end with the log-in
    /// of another user.
    func logInToSync(_ user: RecordID, discardingEdits: Bool = false) async throws {
        let objects = AppProcess.objects.map { AppProcess.object($0, device.scope, run.settings) }
        try await changingUser {
            try await sync.logIn(user.description, discardingEdits: discardingEdits, objects: objects)
        }
        // They may have changed during the log-in.
        for name in AppProcess.objects { await sync.setFilter(device.scope.filters[name]?.condition, of: name) }
    }

    /// Fetches everything of an object again, as a support person may ask for.
    func resync(_ object: String) {
        ready { [self] in
            run.trace("\(device.name) is to sync all of \(object)")
            start { [self] in try? await sync.resync(object) }
        }
    }
}
