import PushDispatch

// Pages of records, and of ids and dates.
extension RegularSyncPass {
    /// Takes in a page of the query and moves the mark.
    ///
    /// - Returns: The records of the page.
    package mutating func received(_ page: QueryPage) throws(FetchError) -> [FetchedRecord] {
        guard var pass = progress.pass, case .query(var pages) = pass.step else { return [] }
        noteServerDate(page, &pass)
        let isFirst = pages.place == .first
        try pages.follow(page, maximumPages: policy.maximumPages)
        for record in page.records {
            guard let found = try date(of: record), found.isPlausible else { continue }
            pages.saw(found, isPlace: isFirst || isPlace(found, pass))
        }
        let raised = raiseMark(to: page.next == nil ? pages.highest : pages.covered, pass)
        if raised { pages.refusals = 0 }
        pass.step = page.next == nil ? stepAfterQuery(pass) : .query(pages)
        progress.pass = pass
        return page.records.map { .record($0) }
    }

    /// Takes in a page of ids and dates.
    ///
    /// - Returns: Those up to the mark. The query fetches the later ones.
    mutating func received(list page: QueryPage) throws(FetchError) -> [ListedRecord] {
        guard var pass = progress.pass, case .list(var listing) = pass.step else { return [] }
        noteServerDate(page, &pass)
        let isFirst = listing.pages.place == .first
        try listing.pages.follow(page, maximumPages: policy.maximumPages)
        var listed: [ListedRecord] = []
        for record in page.records {
            guard let found = try date(of: record) else { continue }
            if found > listing.mark { listing.hasLater = true }
            if found.isPlausible { listing.pages.saw(found, isPlace: isFirst || isPlace(found, pass)) }
            // A record that has changed since the list was made shows its new date, and is in the next list.
            if found <= listing.mark { listed.append(ListedRecord(id: record.id, date: found)) }
        }
        if let covered = listing.pages.covered, covered > listing.after ?? covered.advanced(byMilliseconds: -1) {
            listing.after = min(covered, listing.mark)
            listing.pages.refusals = 0
        }
        // Only the first page shows the records as they were when the list was made. On a later one a date after the mark does
        // not prove that those before it have all arrived.
        var isPast = false
        if isFirst, case .ascending(let highest, _) = listing.pages.dates { isPast = highest > listing.mark }
        if page.next == nil || isPast {
            pass.step = listing.hasLater ? .query(PageChain()) : stepAfterQuery(pass)
        } else {
            pass.step = .list(listing)
        }
        progress.pass = pass
        return listed
    }

    /// Takes in the ids and dates of what changed, without the filter.
    ///
    /// - Returns: The records on the page; empty if there are more pages, and all local ids are compared instead.
    mutating func received(departures page: QueryPage) throws(FetchError) -> [ListedRecord] {
        guard case .departures? = progress.pass?.step else { return [] }
        progress.pass?.step = .deletions
        guard page.next == nil else {
            progress.pass?.wantsComparison = true
            return []
        }
        var listed: [ListedRecord] = []
        for record in page.records {
            if let date = try date(of: record) { listed.append(ListedRecord(id: record.id, date: date)) }
        }
        return listed
    }

    /// Nothing can have left the filter before anything was fetched with it, and a comparison finds what has.
    private func stepAfterQuery(_ pass: SyncProgress.Pass) -> SyncProgress.Step {
        object.filter != nil && progress.departuresCovered != nil && !pass.wantsComparison ? .departures : .deletions
    }

    /// The first page of the pass counts. What is committed later may be missing from the list before the query.
    private func noteServerDate(_ page: QueryPage, _ pass: inout SyncProgress.Pass) {
        if pass.serverDate == nil { pass.serverDate = page.serverDate }
    }

    private func date(of record: ServerRecord) throws(FetchError) -> ServerDate? {
        guard let found = record.fields[object.orderField]?.string.flatMap({ ServerDate($0) }) else {
            throw .badPages("a record has no readable \(object.orderField)")
        }
        return found
    }

    /// Whether a record on a later page has the place of its date. One that changed after the first page was made may show its
    /// new date at its former place; its transaction may have begun before that page.
    private func isPlace(_ date: ServerDate, _ pass: SyncProgress.Pass) -> Bool {
        guard let made = pass.serverDate else { return true }
        return date < made.advanced(byMilliseconds: -max(0, policy.overlapMilliseconds))
    }

    /// The mark never moves back, and never past the time at which the server started to answer.
    ///
    /// - Returns: Whether it has moved.
    private mutating func raiseMark(to date: ServerDate?, _ pass: SyncProgress.Pass) -> Bool {
        guard let date else { return false }
        let bound = min(date, pass.serverDate ?? date)
        if let mark = progress.mark, mark >= bound { return false }
        progress.mark = bound
        return true
    }
}
