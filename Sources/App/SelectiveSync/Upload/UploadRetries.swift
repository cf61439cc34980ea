import PushDispatch

/// The records whose uploads have failed, and when each is tried again. They come after the others and each in a call of its own,
/// so that none of them holds up another record. A new process tries each of them at once. No I/O.
struct UploadRetries: Hashable, Sendable {
    /// The wait after the first failure. It doubles with each further one.
    static let firstWaitMilliseconds: Int64 = 60_000
    static let maximumWaitMilliseconds: Int64 = 1_800_000

    private struct Failure: Hashable, Sendable {
        var count = 0
        /// An edit by the user may remove the cause.
        var fields: [String: JSONValue]
        /// Nil if it is tried with the next upload.
        var notBefore: DispatchMoment?
    }

    private var failures: [String: [RecordKey: Failure]] = [:]

    /// - Parameter waits: Whether the record is put off. A call without an answer says nothing about its record.
    mutating func failed(_ record: LocalRecord, of object: String, at now: DispatchMoment, waits: Bool) {
        var failure = failures[object]?[record.key] ?? Failure(fields: record.fields)
        failure.count += 1
        failure.fields = record.fields
        let doubled = UploadRetries.firstWaitMilliseconds << Int64(min(failure.count - 1, 20))
        let wait = min(doubled, UploadRetries.maximumWaitMilliseconds)
        failure.notBefore = waits ? now.advanced(byMilliseconds: wait) : nil
        failures[object, default: [:]][record.key] = failure
    }

    /// The server has answered about this record.
    mutating func ended(_ key: RecordKey, of object: String) { failures[object]?[key] = nil }

    /// Forgets the records that have no edits any more.
    mutating func keep(_ keys: Set<RecordKey>, of object: String) {
        failures[object] = failures[object]?.filter { keys.contains($0.key) }
    }

    /// What answered in the place of the server may be gone.
    mutating func networkChanged() {
        for (object, records) in failures {
            failures[object] = records.mapValues { failure in
                var failure = failure
                failure.notBefore = nil
                return failure
            }
        }
    }

    func isDue(_ record: LocalRecord, of object: String, at now: DispatchMoment) -> Bool {
        guard let failure = failures[object]?[record.key], let notBefore = failure.notBefore else { return true }
        return notBefore <= now || failure.fields != record.fields
    }

    /// How often the upload of the record has failed since it last succeeded.
    func failures(of key: RecordKey, _ object: String) -> Int { failures[object]?[key]?.count ?? 0 }
}
