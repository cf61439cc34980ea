import Foundation
import PushDispatch
import SelectiveSync

/// A CRM in memory with records, edits and device registrations. A test can stop it inside a call.
actor CRMServer: RecordSource, RecordUploader, DeviceRegistrar {
    private var records: [RecordID: ServerRecord] = [:]
    private(set) var calls: [String] = []
    /// The filter of each query.
    private(set) var filters: [RecordFilter?] = []
    /// Registered devices.
    private(set) var devices: Set<RecordID> = []
    private var interruptions: [String: @Sendable () async -> Void] = [:]
    var fault: FetchError?

    func put(_ number: Int, _ name: String, at stamp: Int64 = 1_700_000_000_000) {
        let date = JSONValue.string(ServerDate(millisecondsSince1970: stamp).description)
        records[.test(number)] = ServerRecord(
            id: .test(number),
            fields: [
                "Id": .string(RecordID.test(number).description), "Name": .string(name), "LastModifiedDate": date,
                "SystemModstamp": date,
            ])
    }

    func name(_ number: Int) -> String? { records[.test(number)]?.fields["Name"]?.string }

    func fail(_ error: FetchError?) { fault = error }

    /// Runs once, inside the next call of this name and before it is answered.
    func interrupt(_ call: String, _ act: @escaping @Sendable () async -> Void) { interruptions[call] = act }

    private func begin(_ call: String) async throws(FetchError) {
        calls.append(call)
        if let act = interruptions.removeValue(forKey: call) { await act() }
        if let fault { throw fault }
    }

    func fetch(_ request: FetchRequest) async throws(FetchError) -> [FetchedRecord] {
        try await begin("fetch")
        return request.records.map { id in records[id].map { .record($0) } ?? .missing(id) }
    }

    func query(_ request: QueryRequest) async throws(FetchError) -> QueryPage {
        filters.append(request.filter)
        try await begin("query")
        let all = records.values.filter { record in request.after.map { record.lastModifiedDate! > $0 } ?? true }
        return QueryPage(records: all.sorted { $0.id.description < $1.id.description }, totalSize: all.count)
    }

    func deletions(_ request: DeletionsRequest) async throws(FetchError) -> Deletions {
        try await begin("deletions")
        return Deletions(deleted: [], covered: request.end)
    }

    func write(
        _ writes: [RecordWrite], of object: String, timeoutMilliseconds: Int64
    ) async throws(FetchError) -> [UploadReply] {
        try await begin("write")
        return writes.map { write in
            guard case .update(let id, let fields, _) = write, var record = records[id] else {
                return .refused("INSUFFICIENT_ACCESS")
            }
            record.fields.merge(fields) { _, new in new }
            let date = ServerDate(millisecondsSince1970: 1_700_000_001_000)
            record.fields["SystemModstamp"] = .string(date.description)
            record.fields["LastModifiedDate"] = .string(date.description)
            records[id] = record
            return .done(id: nil, date)
        }
    }

    func find(_ lookup: RecordLookup) async throws(FetchError) -> ServerRecord? { nil }

    func register(_ device: DeviceRegistration, timeoutMilliseconds: Int64) async throws(FetchError) -> RecordID {
        try await begin("register")
        devices.insert(.test(900))
        return .test(900)
    }

    func unregister(_ id: RecordID, timeoutMilliseconds: Int64) async throws(FetchError) {
        try await begin("unregister")
        devices.remove(id)
    }

    func notificationTypes(timeoutMilliseconds: Int64) async throws(FetchError) -> [NotificationType] { [] }
}
