import PushDispatch
import ServiceHost

/// The ids and fields of a collection fetch, from either form of the call. Repeated fields are returned once.
struct CollectionQuery: Hashable, Sendable {
    let ids: [RecordID]
    let fields: [String]

    /// `?ids=a,b,c&fields=x,y`
    init(parametersOf request: ServiceRequest) throws(OrgError) {
        guard let ids = request.parameter("ids"), let fields = request.parameter("fields") else {
            throw .parser("The parameters ids and fields are wanted, as lists with commas.")
        }
        try self.init(
            ids: ids.split(separator: ",").map(String.init), fields: fields.split(separator: ",").map(String.init))
    }

    /// `{"ids":[…],"fields":[…]}`
    init(bodyOf request: ServiceRequest) throws(OrgError) {
        let members = try OrgREST.object(in: request)
        guard let ids = CollectionQuery.strings(members["ids"]) else {
            throw .parser("ids has to be an array of strings.")
        }
        guard let fields = CollectionQuery.strings(members["fields"]) else {
            throw .parser("fields has to be an array of strings.")
        }
        try self.init(ids: ids, fields: fields)
    }

    private init(ids: [String], fields: [String]) throws(OrgError) {
        guard !ids.isEmpty, !fields.isEmpty else { throw .parser("ids and fields must not be empty.") }
        guard ids.count <= OrgREST.maximumIDs else { throw .tooManyIDs(ids.count, maximum: OrgREST.maximumIDs) }
        guard fields.count <= OrgREST.maximumFields else {
            throw .parser("\(fields.count) fields in one call; it takes \(OrgREST.maximumFields).")
        }
        var read: [RecordID] = []
        for id in ids {
            do throws(RecordID.Problem) {
                read.append(try RecordID.read(id).id)
            } catch {
                throw .malformedID(id, error.description)
            }
        }
        var seen: Set<String> = []
        self.ids = read
        self.fields = fields.filter { seen.insert($0).inserted }
    }

    private static func strings(_ value: JSONValue?) -> [String]? {
        guard let elements = value?.array else { return nil }
        let strings = elements.compactMap(\.string)
        return strings.count == elements.count ? strings : nil
    }
}
