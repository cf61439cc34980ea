/// The fields and the filter that the stored records of an object were fetched with. It is part of the progress, so a pass
/// notices that the app has changed them.
public struct SyncScope: Hashable, Sendable, Codable {
    /// API names, sorted.
    public var fields: [String]
    /// The filter in the server's query language; nil for no filter.
    public var filter: String?

    public init(fields: [String], filter: String?) {
        self.fields = fields
        self.filter = filter
    }

    /// What a pass has to do because the scope has changed.
    enum Change: Hashable, Sendable {
        case nothing
        /// Other records belong on the device: those that entered are fetched, those that left are removed.
        case filter
        /// There are new fields, so every record is fetched again. Those that left are removed too.
        case fields(isFilterChanged: Bool)
    }

    func change(from former: SyncScope?) -> Change {
        guard let former else { return .fields(isFilterChanged: filter != nil) }
        guard Set(fields).isSubset(of: former.fields) else {
            return .fields(isFilterChanged: filter != former.filter)
        }
        return filter == former.filter ? .nothing : .filter
    }
}

extension SyncObject {
    var scope: SyncScope {
        // A filter that cannot be written fails with the first request.
        SyncScope(fields: Set(queryFields).sorted(), filter: filter.map { (try? $0.text()) ?? "" })
    }

    /// What a query asks for.
    var queryFields: [String] {
        ["Id"] + fields.filter { $0 != "Id" && $0 != orderField } + [orderField]
    }
}
