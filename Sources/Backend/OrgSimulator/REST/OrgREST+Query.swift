import PushDispatch
import SelectiveSync
import ServiceHost

/// Queries and their pages (docs/reference/selective-sync.md 6.3).
extension OrgREST {
    func query(_ call: OrgCall, isAll: Bool, _ org: inout Org) throws(OrgError) -> Answer {
        guard let text = call.request.parameter("q") else {
            throw .malformedQuery("The parameter q is wanted, the query, in percent-encoding.")
        }
        let known = org
        var query = try SOQLReader.read(text, at: call.now) { name in
            let wanted = name.lowercased()
            if wanted == OrgObject.pushDevice.name.lowercased() { return .pushDevice }
            return known.objects.values.first { $0.name.lowercased() == wanted }
        } isReadable: { shape, field in
            call.isReadable(field, of: shape, known)
        }
        func related(_ id: RecordID) -> OrgRecord? {
            known[id].flatMap { known.isVisible($0, to: call.user) ? $0 : nil }
        }
        var visible: [String: [OrgRecord]] = [:]
        query.condition = query.condition?.resolved(
            { object in
                // Once for each object, however many inner queries there are.
                if let found = visible[object] { return found }
                let found = known.records.values.filter { $0.object == object && known.isVisible($0, to: call.user) }
                visible[object] = found
                return found
            }, related)
        let found = query.select(from: candidates(query, call, org, isAll: isAll), related)
        guard !query.isCount else {
            return Answer(
                .json([("totalSize", .integer(Int64(found.count))), ("done", true), ("records", [])]))
        }
        let cursor = QueryCursors.Cursor(
            user: call.user, object: query.object, fields: query.fields, pageSize: pageSize(call, org), records: found,
            lastUse: call.now)
        guard found.count > cursor.pageSize else { return try page(of: cursor, at: 0, "", call) }
        let locator = org.cursors.open(cursor, lifetime: org.settings.queryLocatorLifetime)
        return try page(of: cursor, at: 0, locator, call)
    }

    private func candidates(_ query: SOQLQuery, _ call: OrgCall, _ org: Org, isAll: Bool) -> [OrgRecord] {
        if query.object == OrgObject.pushDevice.name { return org.devices(of: call.user).map(\.record) }
        let live = org.records.values.filter { $0.object == query.object && org.isVisible($0, to: call.user) }
        guard isAll else { return live }
        let gone = org.tombstones.keys.compactMap { org.tombstone($0, at: call.now) }
        return live + gone.filter { $0.object == query.object && org.isVisible($0, to: call.user) }
    }

    /// The requested size from `Sforce-Query-Options: batchSize=200`, limited by the org.
    private func pageSize(_ call: OrgCall, _ org: Org) -> Int {
        let maximum = org.settings.maximumPageSize
        let options = (call.request.headers["sforce-query-options"] ?? "").split { $0 == "," || $0 == " " }
        let requested = options.lazy.compactMap { option -> Int? in
            let parts = option.split(separator: "=")
            return parts.count == 2 && parts[0].lowercased() == "batchsize" ? Int(parts[1]) : nil
        }.first
        return min(max(requested ?? maximum, org.settings.minimumPageSize, 1), maximum)
    }

    /// Splits a locator into its name and position.
    static func cursor(_ locator: String) -> (name: String, place: Int?) {
        let parts = locator.split(separator: "-", maxSplits: 1)
        return (parts.first.map(String.init) ?? "", parts.count == 2 ? Int(parts[1]) : nil)
    }

    func nextPage(_ locator: String, _ call: OrgCall, _ org: inout Org) throws(OrgError) -> Answer {
        let (name, place) = OrgREST.cursor(locator)
        let lifetime = org.settings.queryLocatorLifetime
        guard let cursor = org.cursors.use(name, by: call.user, at: call.now, lifetime: lifetime), let place,
            (1..<cursor.records.count).contains(place)
        else { throw .invalidLocator }
        return try page(of: cursor, at: place, name, call, org.settings.readsPagesLate ? org : nil)
    }

    /// - Parameter current: The org whose present versions are shown; nil shows those of the time of the query.
    private func page(
        of cursor: QueryCursors.Cursor, at place: Int, _ locator: String, _ call: OrgCall, _ current: Org? = nil
    ) throws(OrgError) -> Answer {
        let end = min(place + cursor.pageSize, cursor.records.count)
        var bytes = Array(#"{"totalSize":\#(cursor.records.count),"done":\#(end == cursor.records.count),"#.utf8)
        if end < cursor.records.count {
            bytes += #""nextRecordsUrl":"/services/data/\#(call.version)/query/\#(locator)-\#(end)","#.utf8
        }
        bytes += #""records":["#.utf8
        let records = cursor.records[place..<end].compactMap { record -> OrgRecord? in
            guard let current else { return record }
            return current.records[record.id].flatMap { current.isVisible($0, to: cursor.user) ? $0 : nil }
        }
        for (index, record) in records.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            guard bytes.count <= OrgREST.maximumReplyBytes else { throw OrgREST.tooLargeReply }
            call.append(record, cursor.fields, to: &bytes)
        }
        bytes += "]}".utf8
        return Answer(.json(bytes))
    }
}
