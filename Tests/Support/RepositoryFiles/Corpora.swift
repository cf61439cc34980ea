public import Foundation

/// Published collections of test inputs that are not part of this repository.
///
/// `APNS_CORPORA` names the folder that holds them. The tests always read the vectors in Tests/Vectors; with the
/// variable set they read a collection as well.
public enum Corpora {
    /// The folder of one collection; nil when `APNS_CORPORA` is not set.
    public static func folder(_ name: String) -> URL? {
        ProcessInfo.processInfo.environment["APNS_CORPORA"].map {
            URL(fileURLWithPath: $0).appendingPathComponent(name)
        }
    }
}
