package import PushDispatch

/// The decisions of a regular sync of one object: which request comes next, and what its answer means for the records and
/// the mark. No I/O. Progress counts only after it is stored together with the answers.
package struct RegularSyncPass: Sendable {
    package enum Step: Hashable, Sendable {
        case query(after: ServerDate?, next: String?)
        case deletions(start: ServerDate, end: ServerDate)
        /// List the next clean ids of the store.
        case list(after: RecordID?)
        case done
    }

    package private(set) var progress: SyncProgress
    private let object: SyncObject
    private let policy: RegularSyncPolicy
    private let now: ServerDate

    /// How often a query may start again without the mark having moved.
    private static let maximumRefusals = 3
    private static let minute: Int64 = 60_000
    private static let day: Int64 = 86_400_000

    /// - Parameters:
    ///   - progress: From the store. An interrupted pass continues.
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
        self.progress = progress
        if progress.pass == nil {
            let isDue = progress.ghostsChecked.map {
                abs(now.millisecondsSince1970.saturatingSubtract($0.millisecondsSince1970))
                    >= policy.ghostIntervalMilliseconds
            }
            self.progress.pass = SyncProgress.Pass(
                pending: pending, began: now, wantsGhosts: checksGhosts || isDue == true)
        } else if checksGhosts {
            self.progress.pass?.wantsGhosts = true
        }
        self.progress.state = .running
    }

    package var next: Step {
        guard let pass = progress.pass else { return .done }
        switch pass.phase {
        case .query:
            return .query(after: progress.mark?.advanced(byMilliseconds: -policy.overlapMilliseconds), next: pass.next)
        case .deletions:
            let (start, end) = span(pass)
            return .deletions(start: start, end: end)
        case .ghosts: return .list(after: pass.ghostCursor)
        }
    }

    /// Whole minutes; the end is always after the start, even if the device's clock is wrong.
    private func span(_ pass: SyncProgress.Pass) -> (start: ServerDate, end: ServerDate) {
        let today = pass.serverDate ?? now
        let began = min(pass.began, today)
        let start = (progress.deletedCovered ?? began.advanced(byMilliseconds: -RegularSyncPass.day)).flooredToMinute
        return (start, max(today, start).flooredToMinute.advanced(byMilliseconds: RegularSyncPass.minute))
    }
}

// MARK: - Answers

extension RegularSyncPass {
    /// Takes in a page and moves the mark.
    ///
    /// - Returns: The records of the page.
    package mutating func received(_ page: QueryPage) throws(FetchError) -> [FetchedRecord] {
        guard var pass = progress.pass, pass.phase == .query else { return [] }
        guard pass.pages < policy.maximumPages else { throw bad("more than \(policy.maximumPages) pages") }
        if pass.next == nil, let serverDate = page.serverDate { pass.serverDate = serverDate }
        try follow(page, &pass)
        for record in page.records {
            guard let found = record.fields[object.orderField]?.string.flatMap({ ServerDate($0) }) else {
                throw bad("a record has no readable \(object.orderField)")
            }
            guard found.isPlausible else { continue }
            // A record that changed after the first page was made keeps its former place, so its new date must not count
            // in the check of the order.
            let date = min(found, pass.serverDate ?? found)
            if let highest = pass.highest {
                if date < highest { pass.isSorted = false }
                // All records of a date have arrived only when a later date arrives.
                if date > highest { pass.covered = highest }
            }
            pass.highest = max(pass.highest ?? date, date)
        }
        pass.next = page.next
        if page.next == nil {
            raiseMark(to: pass.highest, &pass)
            pass.phase = .deletions
        } else if pass.isSorted {
            raiseMark(to: pass.covered, &pass)
        }
        progress.pass = pass
        return page.records.map { .record($0) }
    }

    /// Counts a page, and detects a chain of pages without an end: one that returns to an earlier page, or that has more
    /// records than the whole result.
    private func follow(_ page: QueryPage, _ pass: inout SyncProgress.Pass) throws(FetchError) {
        guard page.next == nil || page.next != pass.next else { throw bad("a page names itself as the next page") }
        guard page.next == nil || page.next != pass.landmark else { throw bad("the pages repeat") }
        if pass.next == nil { pass.received = 0 }
        pass.pages += 1
        pass.received = (pass.received ?? 0) + page.records.count
        if let total = page.totalSize, let received = pass.received, received > total {
            throw bad("the pages have more records than the \(total) of the result")
        }
        // Each landmark stays for twice as many pages as the one before, so a loop of any length is detected.
        if pass.pages.nonzeroBitCount == 1 { pass.landmark = page.next }
    }

    /// The mark never moves back, and never past the time at which the server started to answer.
    private mutating func raiseMark(to date: ServerDate?, _ pass: inout SyncProgress.Pass) {
        guard let date else { return }
        let bound = min(date, pass.serverDate ?? date)
        if let mark = progress.mark, mark >= bound { return }
        progress.mark = bound
        pass.refusals = nil
    }

    package mutating func received(_ deletions: Deletions) -> [FetchedRecord] {
        guard var pass = progress.pass, pass.phase == .deletions else { return [] }
        let (start, end) = span(pass)
        let wasFull = pass.isFull
        if let earliest = deletions.earliestAvailable, earliest > start, progress.deletedCovered != nil, !wasFull {
            // Deletions were missed: fetch everything once more, then compare all ids.
            progress.mark = nil
            pass = pass.fromStart()
        } else {
            pass.phase = .ghosts
        }
        // The end may be later than the server's clock. Deletions between the two are not in the list.
        let known = min(deletions.covered, end.advanced(byMilliseconds: -RegularSyncPass.minute))
        // If the device's clock is fast, the whole span can be later than the server's clock, and the answer proves nothing.
        progress.deletedCovered = known < start ? known.advanced(byMilliseconds: -RegularSyncPass.day) : known
        progress.pass = pass
        closeIfDone()
        return deletions.deleted.map { .deleted($0.record, at: $0.date) }
    }

    /// The server does not list deletions, so all ids have to be compared.
    package mutating func deletionsRefused() {
        progress.pass?.wantsGhosts = true
        progress.pass?.phase = .ghosts
        progress.deletedCovered = nil
    }

    /// The server no longer knows the next page. The query starts again at the mark.
    ///
    /// - Returns: Whether the pass can continue.
    package mutating func nextRefused() -> Bool {
        guard let pass = progress.pass, pass.phase == .query, pass.next != nil else { return false }
        let refusals = (pass.refusals ?? 0) + 1
        guard refusals <= RegularSyncPass.maximumRefusals else { return false }
        progress.pass = pass.atMark(refusals: refusals)
        return true
    }

    /// Takes in the result of a comparison.
    ///
    /// - Parameters:
    ///   - ids: The local ids that were compared.
    ///   - missing: Those that the server does not show.
    package mutating func compared(_ ids: [RecordID], missing: [RecordID]) -> [FetchedRecord] {
        if let last = ids.last, ids.count >= policy.ghostBatch {
            progress.pass?.ghostCursor = last
        } else {
            progress.ghostsChecked = now
            finish()
        }
        return missing.map { .missing($0) }
    }

    /// The pass ends with an error. After an invalid page the next pass starts again at the mark; if it continued with the
    /// same pages, it would fail each time.
    package mutating func failed(_ error: FetchError) {
        progress.state = .failed
        guard error.code == .badReply, nextRefused() else { return }
        progress.pass?.pages = 0
    }

    package mutating func stopped(_ state: SyncState) { progress.state = state }

    private mutating func closeIfDone() {
        guard let pass = progress.pass, pass.phase == .ghosts, !pass.wantsGhosts else { return }
        // The first pass has just fetched every record, so no comparison is due before the interval has passed.
        if progress.ghostsChecked == nil { progress.ghostsChecked = now }
        finish()
    }

    private mutating func finish() {
        progress.served = progress.pass?.pending
        progress.pass = nil
        progress.state = .done
    }

    private func bad(_ detail: String) -> FetchError { FetchError(.badReply, status: 200, advice: .retryLater, detail) }
}

extension SyncProgress.Pass {
    /// The pass at its first page, without a mark.
    fileprivate func fromStart() -> SyncProgress.Pass {
        var pass = SyncProgress.Pass(pending: pending, began: began, wantsGhosts: true)
        pass.serverDate = serverDate
        pass.isFull = true
        return pass
    }

    /// The query again at the mark. The records after the mark arrive once more, in order.
    fileprivate func atMark(refusals: Int) -> SyncProgress.Pass {
        var pass = SyncProgress.Pass(pending: pending, began: began, wantsGhosts: wantsGhosts)
        pass.serverDate = serverDate
        pass.isFull = isFull
        pass.pages = pages
        pass.received = received
        pass.refusals = refusals
        return pass
    }
}

extension Int64 {
    fileprivate func saturatingSubtract(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? .max : Swift.max(difference, -.max)
    }
}
