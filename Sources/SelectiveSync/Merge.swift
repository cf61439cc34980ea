import PushDispatch

/// What to do with one answer of the server, given what is here. The rules of selective-sync.md 7.2 and 9, in the mode
/// `LEAVE_IF_CHANGED`: an unsent edit is never touched, and nothing goes back in time.
package enum Merge: Hashable, Sendable {
    case insert(ServerRecord)
    /// The server's is newer, or differs where no stamp tells.
    case replace(ServerRecord)
    /// The same stamp: replaced, and nothing is new.
    case refresh(ServerRecord)
    case leaveNewer
    case leaveDirty
    case remove
    /// Gone at the server and edited here: kept, for the app to decide.
    case leaveDirtyMissing
    /// Neither there nor here.
    case nothing

    package static func decide(_ local: LocalRecord?, _ fetched: FetchedRecord) -> Merge {
        switch (local, fetched) {
        case (nil, .missing): return .nothing
        case (nil, .record(let record)): return .insert(record)
        case (let local?, .missing): return local.isDirty ? .leaveDirtyMissing : .remove
        case (let local?, .record(let record)):
            guard !local.isDirty else { return .leaveDirty }
            switch age(of: record, against: local.record) {
            case .older: return .leaveNewer
            case .same: return .refresh(record)
            case .newer: return .replace(record)
            case nil: return record == local.record ? .refresh(record) : .replace(record)
            }
        }
    }

    private enum Age { case older, same, newer }

    /// By the first stamp that both have; nil if they share none.
    private static func age(of fetched: ServerRecord, against local: ServerRecord) -> Age? {
        for stamp in [\ServerRecord.systemModstamp, \ServerRecord.lastModifiedDate] {
            guard let new = fetched[keyPath: stamp], let old = local[keyPath: stamp] else { continue }
            return new < old ? .older : new == old ? .same : .newer
        }
        return nil
    }
}
