#if canImport(os)
    import os
#else
    import Foundation
#endif

/// The log of a client with `isDebug`.
enum OptimizationLog {
    static let subsystem = "com.contentful.optimization"

    static func write(_ report: OptimizationReport) {
        #if canImport(os)
            Logger(subsystem: subsystem, category: "client").debug("\(String(describing: report), privacy: .public)")
        #else
            FileHandle.standardError.write(Data("\(subsystem): \(report)\n".utf8))
        #endif
    }
}
