/// Keeps a cache in a file that only its owner can read (mode 0600).
///
/// A new file replaces the old one in one step, after it has reached the disk. The folder must exist and must not be shared
/// with extensions of the app.
public struct FileDecisionStore: DecisionStore {
    private let file: PrivateFile

    public init(file path: String) { file = PrivateFile(path: path) }

    public func load(maximumBytes: Int) throws(DecisionStoreError) -> [UInt8]? {
        try file.read(maximumBytes: maximumBytes)
    }

    public func save(_ bytes: [UInt8]) throws(DecisionStoreError) { try file.write(bytes) }

    public func setAside() throws(DecisionStoreError) -> String? { try file.setAside() }

    public func erase() throws(DecisionStoreError) { try file.erase() }
}
