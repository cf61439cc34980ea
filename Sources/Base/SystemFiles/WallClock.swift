#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The machine's time. Worlds get it as an argument of each call.
package enum WallClock {
    /// Milliseconds since 1970-01-01 UTC.
    package static var milliseconds: Int64 { Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)) }
}
