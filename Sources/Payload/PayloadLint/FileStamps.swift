/// Detects changed files: a stamp for each path, to compare with an earlier one.
package struct FileStamps: Hashable, Sendable {
    /// Values that change when a file is written or replaced.
    package struct Stamp: Hashable, Sendable {
        package var device: UInt64
        package var number: UInt64
        package var bytes: Int64
        package var seconds: Int64
        package var nanoseconds: Int64

        package init(device: UInt64, number: UInt64, bytes: Int64, seconds: Int64, nanoseconds: Int64) {
            self.device = device
            self.number = number
            self.bytes = bytes
            self.seconds = seconds
            self.nanoseconds = nanoseconds
        }
    }

    private var stamps: [String: Stamp] = [:]

    package init() {}

    /// The stamp of a file; nil if it does not exist.
    package subscript(path: String) -> Stamp? {
        get { stamps[path] }
        set { stamps[path] = newValue }
    }

    package var paths: Set<String> { Set(stamps.keys) }

    /// The paths that are new, changed or removed, sorted.
    package func changes(since old: FileStamps) -> [String] {
        paths.union(old.paths).filter { stamps[$0] != old.stamps[$0] }.sorted()
    }
}
