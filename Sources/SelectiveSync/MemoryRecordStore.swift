public import PushDispatch

/// A record store that lives as long as the process.
public actor MemoryRecordStore: RecordStore {
    private var objects: [String: [RecordID: LocalRecord]] = [:]

    public init() {}

    public func merge(_ fetched: [FetchedRecord], of object: String) -> MergeCounts {
        var counts = MergeCounts()
        var records = objects[object] ?? [:]
        for answer in fetched {
            let merge = Merge.decide(records[answer.id], answer)
            switch merge {
            case .insert(let record), .replace(let record), .refresh(let record):
                records[record.id] = LocalRecord(record)
            case .remove: records[answer.id] = nil
            case .leaveNewer, .leaveDirty, .leaveDirtyMissing, .nothing: break
            }
            counts.count(merge, of: answer.id)
        }
        objects[object] = records
        return counts
    }

    public func record(_ id: RecordID, of object: String) -> LocalRecord? { objects[object]?[id] }

    /// In the order of their ids.
    public func records(of object: String) -> [LocalRecord] {
        (objects[object] ?? [:]).sorted { $0.key.description < $1.key.description }.map(\.value)
    }

    /// Puts a record as it stands, such as one that the user has just edited.
    public func put(_ record: LocalRecord, of object: String) {
        objects[object, default: [:]][record.record.id] = record
    }
}
