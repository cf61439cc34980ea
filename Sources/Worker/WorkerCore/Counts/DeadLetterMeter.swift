import APNSModel

/// Counts what goes to the dead letter, so that it is reported at most once a minute for each reason, and for each unknown
/// tenant.
struct DeadLetterMeter: Sendable {
    private enum Key: Hashable {
        case reason(String)
        case tenant(String)
    }

    private struct Entry {
        var count = 0
        /// Nothing is reported before.
        var next = MonotonicTime(nanoseconds: .min)
    }

    private var entries: [Key: Entry] = [:]
    /// Whether nothing was counted since the last report, so that there is nothing to look for.
    private var isQuiet = true

    private static let interval = Duration.seconds(60)
    /// More unknown tenants, and more reasons of a strange gateway, are counted together.
    private static let maximumEntries = 100
    private static let entriesForReasons = 50
    static let unknownTenant = "unknown-tenant"

    /// Something goes to the dead letter: a push, or a job that cannot be read.
    ///
    /// - Parameter tenant: That of its job.
    mutating func count(_ reason: String, of tenant: String?) {
        isQuiet = false
        entries[key(reason, tenant), default: Entry()].count += 1
    }

    private func key(_ reason: String, _ tenant: String?) -> Key {
        var key = Key.reason(reason)
        if reason == DeadLetterMeter.unknownTenant, let tenant { key = .tenant(tenant) }
        var most = DeadLetterMeter.maximumEntries
        // Reasons have room beside the tenants.
        if case .reason = key { most += DeadLetterMeter.entriesForReasons }
        guard entries[key] == nil, entries.count >= most else { return key }
        return .reason(reason == DeadLetterMeter.unknownTenant ? reason : "other")
    }

    /// What is to be reported now.
    ///
    /// - Parameter isLast: Whether the worker ends, so that the rest is reported too.
    mutating func take(at now: MonotonicTime, isLast: Bool) -> [WorkerEvent] {
        guard !isQuiet else { return [] }
        var events: [WorkerEvent] = []
        for (key, entry) in entries where isLast || now >= entry.next {
            if entry.count == 0 {
                entries[key] = nil
                continue
            }
            entries[key] = Entry(next: now + DeadLetterMeter.interval)
            switch key {
            case .reason(let reason): events.append(.deadLetter(reason: reason, count: entry.count))
            case .tenant(let tenant): events.append(.unknownTenant(tenant, jobs: entry.count))
            }
        }
        isQuiet = entries.values.allSatisfy { $0.count == 0 }
        return events
    }
}
