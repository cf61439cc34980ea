/// The objects of a sync, with what decides which of their records and fields belong on the device.
struct ObjectScopes: Sendable {
    /// By name, with the filters that were set while the app runs.
    var objects: [String: SyncObject]
    /// The objects without these filters.
    let configured: [SyncObject]
    /// Counts the changes of the filter, and the requests to fetch everything, for each object.
    var numbers: [String: Int] = [:]
    /// The objects for which `RecordSync.narrowScope(of:)` is done.
    var narrowed: Set<String> = []

    init(_ objects: [SyncObject]) {
        self.objects = Dictionary(objects.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
        configured = objects
    }
}
