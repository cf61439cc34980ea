package import PushDispatch

/// The decisions of a regular sync of one object: which request comes next, and what its answer means for the records and
/// the mark. No I/O. Progress counts only after it is stored together with the answers.
package struct RegularSyncPass: Sendable {
    package enum Request: Hashable, Sendable {
        /// Ids and dates.
        case list(after: ServerDate?, next: String?)
        case query(after: ServerDate?, next: String?)
        /// Ids and dates, without the filter.
        case departures(after: ServerDate)
        case deletions(start: ServerDate, end: ServerDate)
        /// Compare the next clean ids of the store.
        case compare(after: RecordID?)
        case done
    }

    package internal(set) var progress: SyncProgress
    /// Whether it continues an interrupted pass. That shows the state of its beginning, so a new pass follows it.
    package let isResumed: Bool
    let object: SyncObject
    let policy: RegularSyncPolicy
    let now: ServerDate

    private static let minute: Int64 = 60_000
    private static let day: Int64 = 86_400_000

    /// - Parameters:
    ///   - progress: From the store. An interrupted pass continues, unless the object's fields or filter have changed.
    ///   - pending: The mark of the pending list.
    ///   - now: The time of the device's clock. It may be wrong, so the server's time is used wherever it is known.
    package init(
        _ object: SyncObject, _ progress: SyncProgress, pending: PendingMark, policy: RegularSyncPolicy,
        now: ServerDate,
        checksGhosts: Bool = false
    ) {
        self.object = object
        self.policy = policy
        self.now = now
        var progress = progress
        let isChanged = RegularSyncPass.adopt(object.scope, &progress)
        self.progress = progress
        isResumed = progress.pass != nil
        // Refusals of earlier calls say nothing about this one.
        self.progress.pass?.step.forgetRefusals()
        if !isResumed {
            begin(pending, comparing: checksGhosts || isChanged || isComparisonDue)
        } else if checksGhosts {
            self.progress.pass?.wantsComparison = true
        }
        self.progress.state = .running
    }

    /// Drops a pass, and the mark, that belong to another scope.
    ///
    /// - Returns: Whether the store may hold records that do not match the filter.
    private static func adopt(_ scope: SyncScope, _ progress: inout SyncProgress) -> Bool {
        let former = progress.scope
        let isNew = progress.mark == nil && progress.pass == nil
        // The scope of an earlier version is not known. Its pass goes on, and the next one fetches everything.
        if former == nil, progress.pass != nil { return false }
        progress.scope = scope
        let wasComparing = progress.pass?.wantsComparison ?? false
        switch former == nil && isNew ? .nothing : scope.change(from: former) {
        case .nothing: return false
        case .filter:
            progress.pass = nil
            return true
        case .fields(let isFilterChanged):
            progress.pass = nil
            progress.mark = nil
            return isFilterChanged || wasComparing
        }
    }

    private var isComparisonDue: Bool {
        progress.ghostsChecked.map {
            abs(now.millisecondsSince1970.saturatingSubtract($0.millisecondsSince1970))
                >= policy.ghostIntervalMilliseconds
        } ?? false
    }

    /// - Parameter comparing: Whether all ids are compared. Then the list reaches back to the first record, to find those
    ///   that have become visible without a change.
    private mutating func begin(_ pending: PendingMark, comparing: Bool) {
        var step = SyncProgress.Step.query(PageChain())
        if let mark = progress.mark {
            // The list contains the dates after this one.
            let after = mark.advanced(byMilliseconds: -max(0, policy.overlapMilliseconds) - 1)
            step = .list(SyncProgress.Listing(after: comparing ? nil : after, mark: mark))
        }
        progress.pass = SyncProgress.Pass(pending: pending, began: now, wantsComparison: comparing, step: step)
    }

    package var next: Request {
        guard let pass = progress.pass else { return .done }
        switch pass.step {
        case .list(let listing): return .list(after: listing.after, next: listing.pages.next)
        case .query(let pages): return .query(after: progress.mark, next: pages.next)
        case .departures: return .departures(after: departuresStart(pass))
        case .deletions:
            let (start, end) = span(pass)
            return .deletions(start: start, end: end)
        case .compare(let id): return .compare(after: id)
        }
    }

    private func departuresStart(_ pass: SyncProgress.Pass) -> ServerDate {
        let start = progress.departuresCovered ?? pass.serverDate ?? pass.began
        return start.advanced(byMilliseconds: -max(0, policy.overlapMilliseconds) - 1)
    }

    /// Whole minutes; the end is always after the start, even if the device's clock is wrong. Deletions are committed as late
    /// as changes, so those of the overlap are read again.
    private func span(_ pass: SyncProgress.Pass) -> (start: ServerDate, end: ServerDate) {
        let today = pass.serverDate ?? now
        let began = min(pass.began, today)
        let covered = progress.deletedCovered?.advanced(byMilliseconds: -max(0, policy.overlapMilliseconds))
        let start = (covered ?? began.advanced(byMilliseconds: -RegularSyncPass.day)).flooredToMinute
        return (start, max(today, start).flooredToMinute.advanced(byMilliseconds: RegularSyncPass.minute))
    }
}

// MARK: - The steps after the pages

extension RegularSyncPass {
    package mutating func received(_ deletions: Deletions) -> [FetchedRecord] {
        guard var pass = progress.pass, pass.step == .deletions else { return [] }
        let (start, end) = span(pass)
        if let covered = progress.deletedCovered?.flooredToMinute, let earliest = deletions.earliestAvailable,
            earliest > covered, !pass.isFull
        {
            // Deletions were missed: fetch everything once more, then compare all ids.
            progress.mark = nil
            pass.isFull = true
            pass.wantsComparison = true
            pass.step = .query(PageChain())
        } else {
            // The server has forgotten a part of the overlap. What was deleted there, and committed late, is in no list.
            if let earliest = deletions.earliestAvailable, progress.deletedCovered != nil, earliest > start {
                pass.wantsComparison = true
            }
            pass.step = .compare(after: nil)
        }
        // The end may be later than the server's clock. Deletions between the two are not in the list.
        let known = min(deletions.covered, end.advanced(byMilliseconds: -RegularSyncPass.minute))
        // If the device's clock is fast, the whole span can be later than the server's clock, and the answer proves nothing.
        let covered = known < start ? known.advanced(byMilliseconds: -RegularSyncPass.day) : known
        progress.deletedCovered = covered
        progress.pass = pass
        closeIfDone()
        return deletions.deleted.map { .deleted($0.record, at: $0.date) }
    }

    /// The server does not list deletions, so all ids have to be compared.
    package mutating func deletionsRefused() {
        progress.pass?.wantsComparison = true
        progress.pass?.step = .compare(after: nil)
        progress.deletedCovered = nil
    }

    /// Takes in the result of a comparison.
    ///
    /// - Parameters:
    ///   - ids: The local ids that were compared.
    ///   - missing: The answers for those that the server does not show.
    package mutating func compared(_ ids: [RecordID], missing: [FetchedRecord]) -> [FetchedRecord] {
        if let last = ids.last, ids.count >= policy.ghostBatch {
            progress.pass?.step = .compare(after: last)
        } else {
            progress.ghostsChecked = now
            finish()
        }
        return missing
    }

    /// The server no longer knows the next page. The query starts again at the mark, a list where all records have arrived.
    ///
    /// - Returns: Whether the pass can continue.
    package mutating func nextRefused() -> Bool {
        switch progress.pass?.step {
        case .list(var listing):
            guard listing.pages.startAgain() else { return false }
            progress.pass?.step = .list(listing)
        case .query(var pages):
            guard pages.startAgain() else { return false }
            progress.pass?.step = .query(pages)
        default: return false
        }
        return true
    }

    /// The pass ends with an error. After an invalid page the next pass starts again at the mark; if it continued with the
    /// same pages, it would fail each time.
    package mutating func failed(_ error: FetchError) {
        progress.state = .failed
        guard error.code == .badReply, nextRefused() else { return }
        switch progress.pass?.step {
        case .list(var listing):
            listing.pages.read = 0
            progress.pass?.step = .list(listing)
        case .query(var pages):
            pages.read = 0
            progress.pass?.step = .query(pages)
        default: break
        }
    }

    package mutating func stopped(_ state: SyncState) { progress.state = state }

    private mutating func closeIfDone() {
        guard let pass = progress.pass, case .compare = pass.step, !pass.wantsComparison else { return }
        // The first pass has just fetched every record, so no comparison is due before the interval has passed.
        if progress.ghostsChecked == nil { progress.ghostsChecked = now }
        finish()
    }

    private mutating func finish() {
        progress.departuresCovered = object.filter == nil ? nil : progress.pass?.serverDate ?? progress.mark
        progress.served = progress.pass?.pending
        progress.lastSync = progress.pass?.began
        progress.pass = nil
        progress.state = .done
    }
}

extension Int64 {
    fileprivate func saturatingSubtract(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? .max : Swift.max(difference, -.max)
    }
}
