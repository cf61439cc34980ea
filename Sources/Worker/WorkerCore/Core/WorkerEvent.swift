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
    case unknownTenant(String)
}
