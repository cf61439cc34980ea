import PushDispatch
import SelectiveSync
import ServiceHost

/// The records that were changed or deleted in a time range, to the minute (docs/reference/selective-sync.md 6.4).
extension OrgREST {
    func updated(_ object: String, _ call: OrgCall, _ org: Org) throws(OrgError) -> Answer {
        let shape = try call.shape(object, org)
        let span = try span(call, days: 30)
        let found = org.records.values.filter { record in
            record.object == shape.name && span.contains(record.systemModstamp)
                && org.isVisible(record, to: call.user)
        }
        try checkCount(found.count, org)
        return Answer(
            .json([
                ("ids", .array(Array(found).inOrderOfIDs.map { .string($0.id.description) })),
                ("latestDateCovered", .string(covered(span, call).description)),
            ]))
    }

    func deleted(_ object: String, _ call: OrgCall, _ org: Org) throws(OrgError) -> Answer {
        let shape = try call.shape(object, org)
        let span = try span(call, days: 15)
        let found = org.tombstones.keys.compactMap { org.tombstone($0, at: call.now) }
            .filter { record in
                record.object == shape.name && record.deleted.map { span.contains($0) } == true
                    && org.isVisible(record, to: call.user)
            }
            .inOrderOfIDs
        try checkCount(found.count, org)
        let rows = found.map { record -> JSONValue in
            ["id": .string(record.id.description), "deletedDate": .string(record.deleted?.description ?? "")]
        }
        return Answer(
            .json([
                ("deletedRecords", .array(rows)),
                ("earliestDateAvailable", .string(org.earliestDeletion(at: call.now).description)),
                ("latestDateCovered", .string(covered(span, call).description)),
            ]))
    }

    private func covered(_ span: Range<ServerDate>, _ call: OrgCall) -> ServerDate { min(span.upperBound, call.now) }

    private func checkCount(_ count: Int, _ org: Org) throws(OrgError) {
        let maximum = org.settings.maximumReplicationIDs
        guard count <= maximum else { throw .tooManyIDs(count, maximum: maximum) }
    }

    private func span(_ call: OrgCall, days: Int64) throws(OrgError) -> Range<ServerDate> {
        let start = try date("start", call).wholeMinute
        let end = try date("end", call).wholeMinute
        guard start < end else { throw .replicationDate("start must be at least a minute before end.") }
        guard start >= call.now.adding(milliseconds: -days * OrgSettings.day).wholeMinute else {
            throw .replicationDate("start lies more than \(days) days back.")
        }
        return start..<end
    }

    private func date(_ name: String, _ call: OrgCall) throws(OrgError) -> ServerDate {
        guard let text = call.request.parameter(name) else {
            throw OrgError(status: 400, code: "MISSING_ARGUMENT", message: "The parameter \(name) is wanted.")
        }
        guard let date = ServerDate(text) else {
            throw .replicationDate(
                "\(name) is not a date-time such as 2026-05-20T20:49:32Z in percent-encoding, where + is %2B.")
        }
        return date
    }
}
