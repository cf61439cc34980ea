import APNSModel
import PayloadJSON
import PushQueue
import SystemFiles
import WorkerCore
import WorkerRuntime

/// What a worker reports: lines for people on stderr, or with `--json` one object a line on stdout.
struct WorkerLog: Sendable {
    let isJSON: Bool
    private let lines: LogLines

    init(isJSON: Bool) {
        self.isJSON = isJSON
        lines = LogLines { line in
            guard isJSON else { return Output.standard.note(line) }
            Output.standard.result(line)
            Output.standard.flush()
        } lossLine: { count in
            let lines = count == 1 ? "1 line of the log was" : "\(count) lines of the log were"
            let message = "\(lines) lost, because nobody read the log."
            return isJSON ? WorkerLog.line("warning", "lines-lost", message) { $0.add("lines", count) } : message
        }
    }

    /// Waits two seconds at most until each line is written.
    ///
    /// - Returns: Whether each is. Where not, nothing else can be printed either.
    @discardableResult
    func finish() -> Bool { lines.finish(milliseconds: 2000) }

    func write(_ notice: WorkerNotice) {
        switch notice {
        case .decided(let event): write(event)
        case .queueLost(let error):
            log("warning", "queue-lost", QueueAddress.message(error)) { $0.add("code", error.code.rawValue) }
        case .queueFound: log("info", "queue-found", "The queue answers again.") { _ in }
        case .warning(let text): log("warning", "queue-warning", text) { _ in }
        case .draining(let held):
            log("info", "draining", "Stopping: \(held) jobs are under way. A second signal ends at once.") {
                $0.add("jobs", held)
            }
        case .leftBehind(let jobs):
            log("warning", "left-behind", WorkerLog.leftMessage(jobs)) { $0.add("jobs", jobs) }
        }
    }

    private func write(_ event: WorkerEvent) {
        switch event {
        case .tenantPaused(let tenant, let reason, let why, let seconds):
            log(
                "error", "tenant-paused",
                "Nothing is sent for the tenant \(tenant) for \(Int(seconds)) s: \(reason), \(why)."
            ) { text in
                text.add("tenant", tenant)
                text.add("reason", reason)
                text.add("seconds", Int(seconds))
            }
        case .tenantResumed(let tenant):
            log("info", "tenant-resumed", "The tenant \(tenant) is sent again.") { $0.add("tenant", tenant) }
        case .hostUnreachable(let host, let tenant, let why, let seconds):
            log(
                "warning", "gateway-unreachable",
                "\(host) cannot be reached for the tenant \(tenant): \(why). Next attempt in \(Int(seconds.rounded(.up))) s."
            ) { text in
                text.add("gateway", host)
                text.add("tenant", tenant)
                text.add("seconds", Int(seconds.rounded(.up)))
            }
        case .hostReachable(let host):
            log("info", "gateway-reachable", "\(host) answers again.") { $0.add("gateway", host) }
        case .jobsLost(let count):
            log(
                "warning", "jobs-lost",
                "This worker lost \(count) jobs: their leases ended and another worker has them, or somebody removed them from the "
                    + "queue. Pushes of them may be double."
            ) { $0.add("jobs", count) }
        case .unknownTenant(let tenant, let jobs):
            let name = ShownText.quoted(tenant)
            log(
                "error", "unknown-tenant",
                "\(jobs) \(jobs == 1 ? "job" : "jobs") of the unknown tenant \(name) went to the dead letter."
            ) { text in
                text.add("tenant", ShownText.cut(tenant, to: 128))
                text.add("jobs", jobs)
            }
        case .deadLetter(let reason, let count):
            log("warning", "dead-letter", WorkerLog.deadMessage(reason, count)) { text in
                text.add("reason", reason)
                text.add("count", count)
            }
        }
    }

    static func leftMessage(_ jobs: Int) -> String {
        let what = jobs == 1 ? "1 job" : "\(jobs) jobs"
        return "\(what) could not be settled in time; other workers get them when their leases end. Pushes of them "
            + "that were sent already may be double."
    }

    static func deadMessage(_ reason: String, _ count: Int) -> String {
        let what = count == 1 ? "1 entry" : "\(count) entries"
        return "\(what) went to the dead letter: \(reason). apns worker dead says why."
    }

    /// The credentials were read again.
    ///
    /// - Parameters:
    ///   - labels: The tenants that the worker started with.
    ///   - now: Those that there are now.
    ///   - reloaded: Those of which the worker has not taken everything.
    func reloaded(from labels: [String], to now: [String], _ reloaded: ReloadedTenants) {
        let added = now.filter { !labels.contains($0) }
        let removed = labels.filter { !now.contains($0) }
        log("info", "reloaded", WorkerLog.reloadMessage(added: added, removed: removed, reloaded)) { text in
            text.add("added", strings: added)
            text.add("removed", strings: removed)
            text.add("moved", strings: reloaded.moved)
            text.add("limited", strings: reloaded.limited)
        }
    }

    static func reloadMessage(added: [String], removed: [String], _ reloaded: ReloadedTenants) -> String {
        var message = "The credentials were read again."
        if !added.isEmpty { message += " Tenants that were added count after a restart: \(names(added))." }
        if !removed.isEmpty {
            message += " Tenants that were removed keep their old credentials until a restart: \(names(removed))."
        }
        if !reloaded.moved.isEmpty {
            message += " Tenants with another gateway or environment keep all they had until a restart: "
            message += "\(names(reloaded.moved))."
        }
        if !reloaded.limited.isEmpty {
            message += " Tenants with another rate keep the old one until a restart: \(names(reloaded.limited))."
        }
        return message
    }

    private static func names(_ labels: [String]) -> String {
        let shown = labels.prefix(10).joined(separator: ", ")
        return labels.count > 10 ? "\(shown) and \(labels.count - 10) more" : shown
    }

    /// A line about something that happened.
    func log(_ level: StaticString, _ event: StaticString, _ message: String, _ fields: (inout JSONText) -> Void) {
        lines.append(isJSON ? WorkerLog.line(level, event, message, fields) : PlainText.safe(message))
    }

    /// A line of `--json`.
    static func line(
        _ level: StaticString, _ event: StaticString, _ message: String, _ fields: (inout JSONText) -> Void
    ) -> String {
        let object = JSONText.object { object in
            object.add("event", "\(event)")
            object.add("level", "\(level)")
            object.add("time", TimeText.text(WallClock.milliseconds))
            fields(&object)
            object.add("message", message)
        }
        return String(decoding: object.bytes, as: UTF8.self)
    }
}
