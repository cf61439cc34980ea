import Foundation
import PushDispatch
import PushDispatchTesting
import SelectiveSync

/// A double of the CRM, in memory, on the phone's clock.
///
/// Unchecked, because the lock protects `state`.
final class Server: RecordSource, RecordUploader, DeviceRegistrar, @unchecked Sendable {
    struct State {
        var records: [String: [RecordID: [String: JSONValue]]] = [:]
        var isDown = false
        var seconds = 0.0
        var fetches = 0
        var devices: [RecordID: String] = [:]
    }

    let clock: PhoneClock
    private let lock = NSLock()
    private var state = State()

    init(_ clock: PhoneClock) { self.clock = clock }

    var fetches: Int { lock.withLock { state.fetches } }

    /// The device tokens that are registered.
    var devices: [String] { lock.withLock { state.devices.values.sorted() } }

    func change(_ change: (inout State) -> Void) { lock.withLock { change(&state) } }

    /// Another user edits a record in the CRM.
    @discardableResult
    func edit(_ id: RecordID, of object: String = "Account", name: String) -> ServerDate {
        let now = ServerDate(millisecondsSince1970: 1_767_225_600_000 + clock.now().milliseconds)
        let date = now.description
        change {
            $0.records[object, default: [:]][id] = [
                "Name": .string(name), "LastModifiedDate": .string(date), "SystemModstamp": .string(date),
            ]
        }
        return now
    }

    func name(of id: RecordID) -> String? { lock.withLock { state.records["Account"]?[id]?["Name"]?.string } }

    private func answer() async throws(FetchError) -> State {
        let now = lock.withLock {
            state.fetches += 1
            return state
        }
        do {
            try await clock.sleep(seconds: now.seconds)
        } catch {
            throw FetchError(.cancelled, advice: .retryLater, "stopped")
        }
        guard !now.isDown else { throw FetchError(.network, advice: .retryLater, "no connection") }
        return now
    }

    func fetch(_ request: FetchRequest) async throws(FetchError) -> [FetchedRecord] {
        let records = try await answer().records[request.object] ?? [:]
        return request.records.map { id in
            records[id].map { .record(ServerRecord(id: id, fields: $0)) } ?? .missing(id)
        }
    }

    func query(_ request: QueryRequest) async throws(FetchError) -> QueryPage {
        let all = try await answer().records[request.object] ?? [:]
        let dated = all.map { id, fields in
            let record = ServerRecord(id: id, fields: fields)
            return (date: record.lastModifiedDate ?? ServerDate(millisecondsSince1970: 0), record: record)
        }
        let changed = dated.filter { record in request.after.map { record.date > $0 } ?? true }
        return QueryPage(records: changed.sorted { $0.date < $1.date }.map(\.record))
    }

    func write(
        _ writes: [RecordWrite], of object: String, timeoutMilliseconds: Int64
    ) async throws(FetchError) -> [UploadReply] {
        _ = try await answer()
        return writes.map { write in
            guard case .update(let id, let fields, _) = write, let name = fields["Name"]?.string else {
                return .refused("INSUFFICIENT_ACCESS")
            }
            return .done(id: nil, edit(id, of: object, name: name))
        }
    }

    func find(_ lookup: RecordLookup) async throws(FetchError) -> ServerRecord? { nil }

    func deletions(_ request: DeletionsRequest) async throws(FetchError) -> Deletions {
        _ = try await answer()
        return Deletions(deleted: [], covered: request.end)
    }

    // MARK: Devices

    func register(_ device: DeviceRegistration, timeoutMilliseconds: Int64) async throws(FetchError) -> RecordID {
        _ = try await answer()
        let id = RecordID("0FGxx0000004CXRGA2")!
        change { $0.devices[id] = device.deviceToken }
        return id
    }

    func unregister(_ id: RecordID, timeoutMilliseconds: Int64) async throws(FetchError) {
        _ = try await answer()
        change { $0.devices[id] = nil }
    }

    func notificationTypes(timeoutMilliseconds: Int64) async throws(FetchError) -> [NotificationType] { [] }
}
