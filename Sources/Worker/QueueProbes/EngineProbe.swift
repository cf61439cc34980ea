package import DoctorProbes

/// The probe for the engine that a URL names.
package enum EngineProbe {
    /// - Parameters:
    ///   - url: As `apns worker` takes it. What is wrong in it beyond the scheme is part of the evidence.
    ///   - environment: The variables of the process, of which libpq reads some.
    /// - Returns: Nil unless it begins with `redis://`, `rediss://`, `postgres://` or `postgresql://`.
    package static func make(url: String, environment: [String: String]) -> (any QueueProbing)? {
        if url.hasPrefix("redis://") || url.hasPrefix("rediss://") { return RedisProbe(url: url) }
        if url.hasPrefix("postgres://") || url.hasPrefix("postgresql://") {
            return PostgresProbe(url: url, environment: environment)
        }
        return nil
    }
}
