/// What happened in a worker that an operator wants to know.
package enum WorkerEvent: Hashable, Sendable {
    /// - Parameter seconds: Until the next push tests whether sending works again.
    case tenantPaused(tenant: String, reason: String, why: String, seconds: Double)
    case tenantResumed(tenant: String)
    case hostUnreachable(host: String, why: String, seconds: Double)
    case hostReachable(host: String)
    /// Jobs that another worker has now.
    case jobsLost(Int)
    case unknownTenant(String)
}
