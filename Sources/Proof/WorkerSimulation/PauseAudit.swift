import WorkerCore

/// What a worker must not send, because credentials of a tenant were refused or the host could not be reached.
struct PauseAudit {
    private struct Pause {
        /// Nothing is sent before.
        var until: Int64
        /// The push in flight whose outcome decides whether sending works again.
        var probe: String?
    }

    /// What a worker says of its pauses after an outcome.
    struct Opened {
        let tenant: Bool
        let host: Bool
    }

    /// By the number of the tenant; nil is the host, which all have in common.
    private var pauses: [Int?: Pause] = [:]
    private static let tenantWait = Circuit.Policy.tenant.firstWait.components.seconds * 1_000
    private static let hostWait = Circuit.Policy.host.firstWait.components.seconds * 1_000

    /// With new credentials one push may try at once.
    mutating func credentialsChanged(at time: Int64) {
        pauses = pauses.mapValues { _ in Pause(until: time) }
    }

    /// - Returns: What is wrong with that.
    mutating func sent(_ token: String, of tenant: Int, at time: Int64) -> String? {
        for key in [tenant, nil] {
            guard let pause = pauses[key] else { continue }
            let what = key == nil ? "host" : "tenant"
            if pause.probe != nil { return "while another one tries the \(what)" }
            if time < pause.until { return "during the pause of its \(what)" }
            pauses[key]?.probe = token
        }
        return nil
    }

    /// - Parameter opened: What the worker says of its pauses, where the push failed so often before that the worker may know it
    ///   as the fault of the push, and so need not pause. Nil: it has to.
    mutating func finished(
        _ token: String, of tenant: Int, _ followUp: FollowUp, _ opened: Opened?, at time: Int64
    ) {
        for key in [tenant, nil] {
            let wait = key == nil ? PauseAudit.hostWait : PauseAudit.tenantWait
            let isFault = followUp == (key == nil ? .connection : .credentials)
            guard let pause = pauses[key] else {
                let isOpen = key == nil ? opened?.host : opened?.tenant
                if isFault, isOpen ?? true { pauses[key] = Pause(until: time + wait) }
                continue
            }
            // Others were sent before the pause, and say nothing new.
            guard pause.probe == token else { continue }
            let isInconclusive = followUp == .connection || followUp == .doubt
            pauses[key] = isFault || isInconclusive ? Pause(until: time + wait) : nil
        }
    }
}
