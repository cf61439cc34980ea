#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The machine's time, which a world is handed with each call.
package enum WallClock {
    /// Milliseconds since 1970-01-01 UTC.
    package static var milliseconds: Int64 { Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)) }
}
