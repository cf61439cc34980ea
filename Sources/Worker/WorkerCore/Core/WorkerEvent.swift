/// What happened in a worker that an operator wants to know.
package enum WorkerEvent: Hashable, Sendable {
    /// - Parameter seconds: Until the next push tests whether sending works again.
    case tenantPaused(tenant: String, reason: String, why: String, seconds: Double)
    case tenantResumed(tenant: String)
    /// - Parameter tenant: Whose push has shown it. Tenants with other credentials may still reach the host.
    case hostUnreachable(host: String, tenant: String, why: String, seconds: Double)
    case hostReachable(host: String)
    /// Jobs that another worker has now.
    case jobsLost(Int)
    /// Jobs of a tenant that is not configured went to the dead letter, since the last report.
    case unknownTenant(String, jobs: Int)
    /// Pushes, or jobs that cannot be read, went to the dead letter for a reason, since the last report.
    case deadLetter(reason: String, count: Int)
}
