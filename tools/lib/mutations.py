"""Deliberate faults in the code, each of which the simulation has to find.

All of them are put into one copy of the code, each behind `isFaulty("its name")`, which is true for the one that a run has chosen.
Where two have the same place, the text of the first contains both.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Change:
    file: str
    old: str
    new: str


@dataclass(frozen=True)
class Mutation:
    name: str
    what: str
    changes: tuple
    # The world whose seeds have to find it.
    world: str = "records"


def mutation(name, what, *changes, world="records"):
    return Mutation(name, what, tuple(Change("Sources/" + file, old, new) for file, old, new in changes), world)


def personalization(name, what, *changes):
    """A fault of the libraries for events and personalization, which the seeds of their own world have to find."""
    return mutation(name, what, *(("App/" + file, old, new) for file, old, new in changes), world="personalization")


def optimization(name, what, *changes):
    """A fault of the library Optimization, which the seeds of its own world have to find."""
    return mutation(name, what, *(("App/Optimization/" + file, old, new) for file, old, new in changes), world="optimization")


def worker(name, what, *changes):
    """A fault of the worker's decisions, which the seeds of several workers with an engine have to find."""
    return mutation(
        f"worker-{name}", what, *(("Worker/WorkerCore/" + file, old, new) for file, old, new in changes), world="worker")


MUTATIONS = [
    mutation(
        "mark-moved-by-selective-fetch",
        "a selective fetch moves the high-water mark",
        (
            "App/SelectiveSync/Sync/RecordSync+Fetching.swift",
            "        do {\n"
            "            let result = try await store.merge(batch)\n",
            '        if isFaulty("mark-moved-by-selective-fetch") {\n'
            "            var moved = (try? await store.progress(of: object)) ?? SyncProgress()\n"
            "            for answer in accepted {\n"
            "                if case .record(let record) = answer { moved.mark = record.lastModifiedDate ?? moved.mark }\n"
            "            }\n"
            "            batch.progress = moved\n"
            "        }\n"
            "        do {\n"
            "            let result = try await store.merge(batch)\n",
        ),
    ),
    mutation(
        "dirty-overwritten",
        "a fetched record replaces one with an edit that was never sent",
        (
            "App/SelectiveSync/Merge/MergeDecision.swift",
            "        if rules.mode == .overwrite { return .replace(record) }\n",
            '        if rules.mode == (isFaulty("dirty-overwritten") ? .leaveIfChanged : .overwrite) { return .replace(record) }\n',
        ),
    ),
    mutation(
        "dirty-removed-when-gone",
        "a record that the server deleted is removed here although it has an edit",
        (
            "App/SelectiveSync/Merge/MergeDecision.swift",
            "guard after.receiveDeletion(rules) else { return .remove }",
            'guard after.receiveDeletion(rules), !isFaulty("dirty-removed-when-gone") || local.isGone else { return .remove }',
        ),
    ),
    mutation(
        "older-stamp-applied",
        "an older copy replaces a newer one",
        (
            "App/SelectiveSync/Merge/MergeDecision.swift",
            "stamps.age(against: local.stamps) == .older || isBeforeUpload(stamps, local)",
            '!isFaulty("older-stamp-applied") && stamps.age(against: local.stamps) == .older || isBeforeUpload(stamps, local)',
        ),
    ),
    mutation(
        "two-requests-for-one-record",
        "a hint for a record that is being fetched queues it again at once",
        (
            "App/SelectiveSync/Sync/Core/SyncQueue.swift",
            "        if case .underWay = entry.place { entry.again = true }\n"
            "        add(ticket, to: record, &entry)\n",
            "        if case .underWay = entry.place {\n"
            '            if isFaulty("two-requests-for-one-record") {\n'
            "                entry.place = .fresh\n"
            "                entry.tickets.append(ticket)\n"
            "                line(record, entry)\n"
            "                waitingCount += 1\n"
            "                return .waiting\n"
            "            }\n"
            '            if !isFaulty("again-not-fetched") { entry.again = true }\n'
            "        }\n"
            "        add(ticket, to: record, &entry)\n",
        ),
    ),
    mutation(
        "ended-push-keeps-its-records",
        "a push does not wait for the records of a push that has ended",
        (
            "App/SelectiveSync/Sync/Core/SyncCore+Tickets.swift",
            "        for record in ticket.waiting { queues",
            '        for record in ticket.waiting where !isFaulty("ended-push-keeps-its-records") { queues',
        ),
    ),
    mutation(
        "pending-forgotten-before-merge",
        "hints leave the pending list when the request goes out",
        (
            "App/SelectiveSync/Sync/RecordSync+Fetching.swift",
            "        let sequence = concurrentAnswers.beginRequest()\n"
            "        let user = sessions.current.user\n",
            '        if isFaulty("pending-forgotten-before-merge") { await forget(core.served(by: start.request), of: start.fetch.object) }\n'
            "        let sequence = concurrentAnswers.beginRequest()\n"
            "        let user = sessions.current.user\n",
        ),
    ),
    mutation(
        "completion-twice",
        "the completion is called twice",
        (
            "App/PushDispatch/Dispatch/PushDispatcher.swift",
            "        start { completion(await self.handle(push, from: entryPoint, by: deadline)) }\n",
            "        start {\n"
            "            let result = await self.handle(push, from: entryPoint, by: deadline)\n"
            "            completion(result)\n"
            '            if isFaulty("completion-twice") { completion(result) }\n'
            "        }\n",
        ),
    ),
    mutation(
        "completion-before-keeping",
        "the result is reported before unfinished hints are stored",
        (
            "App/PushDispatch/Dispatch/PushDispatcher+Runs.swift",
            "        start { [userNumber] in await self.keep(hint, of: run, userNumber) }\n",
            '        if isFaulty("completion-before-keeping") { answer(core.answers(of: run), of: run) }\n'
            "        start { [userNumber] in await self.keep(hint, of: run, userNumber) }\n",
        ),
    ),
    mutation(
        "unfinished-not-kept",
        "hints that a handler leaves unfinished are not stored",
        (
            "App/PushDispatch/Dispatch/DispatchCore+Results.swift",
            "keep: keep.records.isEmpty ? nil : keep, next: next)",
            'keep: keep.records.isEmpty || isFaulty("unfinished-not-kept") ? nil : keep, next: next)',
        ),
    ),
    mutation(
        "no-deadline",
        "the time limit of a handler is not enforced",
        (
            "App/PushDispatch/Dispatch/PushDispatcher+Timer.swift",
            "        setTimer(at: timing.next(after: clock.now()) ?? timing.deadline)\n",
            '        if !isFaulty("no-deadline") { setTimer(at: timing.next(after: clock.now()) ?? timing.deadline) }\n',
        ),
    ),
    mutation(
        "failure-told-as-no-data",
        "a handler that failed is reported as having found nothing new",
        (
            "App/PushDispatch/Dispatch/HandlerReport.swift",
            "return isFailed || !unfinished.isEmpty ? .failed : .noData",
            'return (isFailed || !unfinished.isEmpty) && !isFaulty("failure-told-as-no-data") ? .failed : .noData',
        ),
    ),
    mutation(
        "news-told-as-no-data",
        "stored news is reported as nothing new",
        (
            "App/SelectiveSync/Merge/MergeResult.swift",
            "        if merge.isNewData { changed.append(record) }\n",
            '        if merge.isNewData, !isFaulty("news-told-as-no-data") { changed.append(record) }\n',
        ),
    ),
    mutation(
        "former-users-pending-kept",
        "the hints of the previous user stay for the next one",
        (
            "App/SelectiveSync/Store/MemoryRecordStore.swift",
            "        progress = [:]\n"
            "        list.removeAll()\n",
            "        progress = [:]\n"
            '        if !isFaulty("former-users-pending-kept") { list.removeAll() }\n',
        ),
        (
            "App/PushDispatch/Dispatch/PushDispatcher+User.swift",
            "            try await pending.forgetAll()\n",
            '            if !isFaulty("former-users-pending-kept") { try await pending.forgetAll() }\n',
        ),
    ),
    mutation(
        "sync-goes-on-for-next-user",
        "a regular sync that the previous user started stores for the next one",
        (
            "App/SelectiveSync/Sync/Regular/RecordSync+RegularSteps.swift",
            "var batch = MergeBatch(run.object.name, answers, rules: run.object.mergeRules, user: run.session.user)",
            "var batch = MergeBatch(\n"
            "                run.object.name, answers, rules: run.object.mergeRules,\n"
            '                user: isFaulty("sync-goes-on-for-next-user") ? sessions.current.user : run.session.user)',
        ),
        (
            "App/SelectiveSync/Sync/UserSession.swift",
            "{ session == current }",
            '{ isFaulty("sync-goes-on-for-next-user") ? session.number <= current.number\n'
            "        : session == current\n"
            '            || isFaulty("sync-goes-on-after-coming-back") && session.user != nil && session.user == current.user }',
        ),
    ),
    mutation(
        "pending-without-bound",
        "the pending list grows without bound",
        (
            "App/PushDispatch/Pending/PendingList.swift",
            "while count > maximumRecords, let",
            'while count > (isFaulty("pending-without-bound") ? 1_000_000 : maximumRecords), let',
        ),
    ),
    mutation(
        "hints-beyond-memory-lost",
        "hints that did not fit in memory are not loaded again",
        (
            "App/SelectiveSync/Sync/RecordSync+Pending.swift",
            "loading.left.map { PendingMark(number: $0.number - 1) } ?? pending.last?.mark",
            '(isFaulty("hints-beyond-memory-lost") ? nil : loading.left.map { PendingMark(number: $0.number - 1) }) ?? pending.last?.mark',
        ),
    ),
    mutation(
        "mark-beyond-server-date",
        "the mark moves past the moment at which the server began to answer",
        (
            "App/SelectiveSync/Sync/Regular/RegularSyncPass+Pages.swift",
            "let bound = min(date, pass.serverDate ?? date)",
            'let bound = isFaulty("mark-beyond-server-date") ? date : min(date, pass.serverDate ?? date)',
        ),
    ),
    mutation(
        "mark-moved-while-unsorted",
        "the mark moves page by page although the pages are not in order",
        (
            "App/SelectiveSync/Sync/Regular/RegularSyncPass+Pages.swift",
            "page.next == nil ? pages.highest : pages.covered",
            'page.next == nil || isFaulty("mark-moved-while-unsorted") ? pages.highest : pages.covered',
        ),
    ),
    mutation(
        "changes-while-reading-believed",
        "records that changed while the pages were read count for the order of the pages",
        (
            "App/SelectiveSync/Sync/Regular/RegularSyncPass+Pages.swift",
            "return date < made.advanced(byMilliseconds: -max(0, policy.overlapMilliseconds))",
            'return isFaulty("changes-while-reading-believed") || date < made.advanced(byMilliseconds: -max(0, policy.overlapMilliseconds))',
        ),
    ),
    mutation(
        "deletions-by-device-clock",
        "the next span of deletions begins at the time of the device's clock",
        (
            "App/SelectiveSync/Sync/Regular/RegularSyncPass.swift",
            "let covered = known < start ?",
            'let covered = isFaulty("deletions-by-device-clock") && now > known ? now : known < start ?',
        ),
    ),
    mutation(
        "lost-deletions-ignored",
        "it is not noticed that the server has forgotten deletions",
        (
            "App/SelectiveSync/Sync/Regular/RegularSyncPass.swift",
            "earliest > covered, !pass.isFull",
            'earliest > covered, !pass.isFull, !isFaulty("lost-deletions-ignored")',
        ),
        # Without the second, the ids would be compared as after the loss of a part of the overlap.
        (
            "App/SelectiveSync/Sync/Regular/RegularSyncPass.swift",
            "progress.deletedCovered != nil, earliest > start {",
            'progress.deletedCovered != nil, earliest > start, !isFaulty("lost-deletions-ignored") {',
        ),
    ),
    mutation(
        "late-commits-missed",
        "a regular sync begins at its mark, so that what was committed late never arrives",
        (
            "App/SelectiveSync/Sync/Regular/RegularSyncPass.swift",
            "mark.advanced(byMilliseconds: -max(0, policy.overlapMilliseconds) - 1)",
            'mark.advanced(byMilliseconds: -(isFaulty("late-commits-missed") ? 0 : max(0, policy.overlapMilliseconds)) - 1)',
        ),
    ),
    mutation(
        "late-deletions-missed",
        "a regular sync asks for deletions from where it ended, so that one that was committed late stays until the daily comparison",
        (
            "App/SelectiveSync/Sync/Regular/RegularSyncPass.swift",
            "progress.deletedCovered?.advanced(byMilliseconds: -max(0, policy.overlapMilliseconds))",
            'progress.deletedCovered?.advanced(byMilliseconds: isFaulty("late-deletions-missed") ? 0 : -max(0, policy.overlapMilliseconds))',
        ),
    ),
    mutation(
        "conflict-sent",
        "a record in conflict is uploaded although its user has not decided",
        (
            "App/SelectiveSync/Upload/UploadDecision.swift",
            "        if mode == .leaveIfChanged, local.conflict != nil { return .conflict }\n",
            '        if mode == .leaveIfChanged, local.conflict != nil, !isFaulty("conflict-sent") { return .conflict }\n',
        ),
    ),
    mutation(
        "deletion-sent-unread",
        "a deletion is sent without reading the server's version first",
        (
            "App/SelectiveSync/Upload/UploadDecision.swift",
            "        mode == .leaveIfChanged && local.isDirty && local.key.id != nil && !local.changes.contains(.created)\n",
            "        mode == .leaveIfChanged && local.isDirty && local.key.id != nil && !local.changes.contains(.created)\n"
            '            && !(isFaulty("deletion-sent-unread") && local.changes.contains(.deleted))\n',
        ),
    ),
    mutation(
        "whole-row-written-back",
        "an edit is made of the row as it was read before, and writes back all of its fields",
        (
            "App/SelectiveSync/Store/StoreSession+Edits.swift",
            "        try await changeOne(key, of: object) { change in\n"
            "            guard var record = change.record, !record.changes.contains(.deleted) else {\n",
            '        let isStale = isFaulty("whole-row-written-back")\n'
            "        let stale = isStale ? try await store.change([key], of: object, in: generation) { $0.record?.fields }.first ?? nil : nil\n"
            "        let body: @Sendable (inout [String: JSONValue]) throws -> Void = { fields in\n"
            "            if let stale { fields = stale }\n"
            "            try body(&fields)\n"
            "        }\n"
            "        try await changeOne(key, of: object) { change in\n"
            "            guard var record = change.record, !record.changes.contains(.deleted) else {\n",
        ),
    ),
    mutation(
        "ghosts-kept",
        "records that the server no longer returns stay",
        (
            "App/SelectiveSync/Sync/Regular/RegularSyncPass.swift",
            "        return missing\n",
            '        return isFaulty("ghosts-kept") ? [] : missing\n',
        ),
    ),
    mutation(
        "broken-pass-not-followed",
        "no further pass follows one that was broken off and resumed",
        (
            "App/SelectiveSync/Sync/Regular/RecordSync+Regular.swift",
            "report.state == .done && pass.isResumed",
            'report.state == .done && pass.isResumed && !isFaulty("broken-pass-not-followed")',
        ),
    ),
    mutation(
        "contradictions-believed",
        "of two contradicting answers the later one is believed",
        (
            "App/SelectiveSync/Sync/ConcurrentAnswers.swift",
            "if let other = known[answer.id], other.answered > sequence, other.isPresent != answer.isPresent {",
            'if let other = known[answer.id], other.answered > sequence, other.isPresent != answer.isPresent, !isFaulty("contradictions-believed") {',
        ),
    ),
    mutation(
        "late-edit-taken-for-sent",
        "an edit made during the upload of its record counts as sent",
        (
            "App/SelectiveSync/Upload/UploadOutcome.swift",
            "                after.taken(newest ?? [:], id: id)\n",
            "                after.taken(newest ?? [:], id: id)\n"
            '                if isFaulty("late-edit-taken-for-sent") { after.clean() }\n',
        ),
    ),
    mutation(
        "twin-dropped-after-request",
        "a push that comes in after the request for its twin was sent is answered with it",
        (
            "App/PushDispatch/Dispatch/DispatchCore.swift",
            "                case .waiting, .running: true\n"
            "                case .requested, .settling: isOther",
            "                case .waiting, .running: true\n"
            '                case .requested where isFaulty("twin-dropped-after-request"): true\n'
            "                case .requested, .settling: isOther",
        ),
    ),
    mutation(
        "twin-window-without-end",
        "a payload from another entry point counts as the same push for an hour",
        (
            "App/PushDispatch/Dispatch/DispatchCore.swift",
            "now.milliseconds(since: arrived) <= policy.duplicateWindowMilliseconds",
            'now.milliseconds(since: arrived) <= (isFaulty("twin-window-without-end") ? 3_600_000 : policy.duplicateWindowMilliseconds)',
        ),
    ),
    mutation(
        "again-not-fetched",
        "a record is not fetched once more when a hint came after its request went out",
        (
            "App/SelectiveSync/Sync/Core/SyncQueue.swift",
            "        if case .underWay = entry.place { entry.again = true }\n"
            "        entries[item.record]",
            '        if case .underWay = entry.place, !isFaulty("again-not-fetched"), !isFaulty("hint-joins-older-request") {\n'
            "            entry.again = true\n"
            "        }\n"
            "        entries[item.record]",
        ),
    ),
    mutation(
        "hint-joins-older-request",
        "a hint is answered with a request that was sent before the hint was stored",
        (
            "App/SelectiveSync/Sync/Core/SyncQueue.swift",
            "            mark <= sent\n",
            '            mark <= sent || isFaulty("hint-joins-older-request")\n',
        ),
    ),
    mutation(
        "arriving-push-not-told",
        "a push whose hint is being stored is not informed that its record's request is sent",
        (
            "App/SelectiveSync/Sync/Core/SyncWaiters.swift",
            "guard !arriving.isEmpty else { return contexts }",
            'guard !arriving.isEmpty, !isFaulty("arriving-push-not-told") else { return contexts }',
        ),
    ),
    mutation(
        "drain-without-end",
        "a fetch of all waiting hints is not ended when its time is over",
        (
            "App/SelectiveSync/Sync/RecordSync+Fetching.swift",
            "        deliver(core.timeRanOut(at: now))\n",
            '        if !isFaulty("drain-without-end") { deliver(core.timeRanOut(at: now)) }\n',
        ),
        (
            "App/SelectiveSync/Sync/RecordSync+Fetching.swift",
            "        if let moment = core.endsNext {\n",
            '        if let moment = core.endsNext, !isFaulty("drain-without-end") {\n',
        ),
    ),
    mutation(
        "unknown-sent-again",
        "a notification that was written when its connection broke is sent once more",
        (
            "Sender/APNSProvider/Pool/ProviderCore.swift",
            "} else if wasSent(slot) {",
            '} else if wasSent(slot), !isFaulty("unknown-sent-again") {',
        ),
    ),
    mutation(
        "refused-stream-lost",
        "a notification above the last stream of a GOAWAY has no outcome",
        (
            "Sender/APNSProvider/Pool/ProviderCore.swift",
            "        if isRefused {\n"
            "            queue.prepend(taken.submission)\n"
            "            return nil\n",
            "        if isRefused {\n"
            '            if !isFaulty("refused-stream-lost") { queue.prepend(taken.submission) }\n'
            "            return nil\n",
        ),
    ),
    mutation(
        "automatic-changes-missed",
        "the regular sync uses the date of the last change by a user",
        (
            "App/SelectiveSync/Records/SyncObject.swift",
            'orderField = stamps.contains("SystemModstamp") ? "SystemModstamp" : "LastModifiedDate"',
            'orderField = stamps.contains("SystemModstamp") && !isFaulty("automatic-changes-missed") ? "SystemModstamp" : "LastModifiedDate"',
        ),
    ),
    mutation(
        "asks-while-changing-hands",
        "regular sync and upload send requests during a change of user, and after a log-out",
        (
            "App/SelectiveSync/Sync/UserSession.swift",
            "var allowsRequests: Bool { !isChanging && !isLoggedOut }",
            'var allowsRequests: Bool { isFaulty("asks-while-changing-hands") || !isChanging && !isLoggedOut }',
        ),
    ),
    mutation(
        "fetches-while-changing-hands",
        "a selective fetch sends requests during a change of user",
        (
            "App/SelectiveSync/Sync/RecordSync+Fetching.swift",
            "        guard !sessions.isChanging else { return }\n"
            "        for next in",
            '        guard !sessions.isChanging || isFaulty("fetches-while-changing-hands") else { return }\n'
            "        for next in",
        ),
        (
            "App/SelectiveSync/Sync/RecordSync+Fetching.swift",
            "            guard !sessions.isChanging, core.isOpen(start.request) else {\n",
            "            guard !sessions.isChanging && core.isOpen(start.request) || "
            'isFaulty("fetches-while-changing-hands") else {\n',
        ),
    ),
    mutation(
        "drains-after-log-out",
        "waiting hints are fetched after a log-out",
        (
            "App/SelectiveSync/Sync/RecordSync.swift",
            "        guard !sessions.isLoggedOut else { return HandlerReport(changed: 0) }\n"
            "        let context",
            '        guard !sessions.isLoggedOut || isFaulty("drains-after-log-out") else { return HandlerReport(changed: 0) }\n'
            "        let context",
        ),
    ),
    mutation(
        "compares-for-former-user",
        "ids are compared after their user has logged out",
        (
            "App/SelectiveSync/Sync/Regular/RecordSync+RegularSteps.swift",
            "        guard left > 0, !Task.isCancelled, core.allowsFetches(of: run.object.name), sessions.allowsRequests,\n"
            "            sessions.isCurrent(run.session)\n",
            "        guard left > 0, !Task.isCancelled, core.allowsFetches(of: run.object.name),\n"
            '            isFaulty("compares-for-former-user") || sessions.allowsRequests && sessions.isCurrent(run.session)\n',
        ),
    ),
    mutation(
        "stores-in-any-order",
        "answers, outcomes of uploads and changes of user are stored in no fixed order",
        (
            "App/PushDispatch/Dispatch/SerialQueue.swift",
            "        if isBusy {\n",
            '        if isBusy, !isFaulty("stores-in-any-order") {\n',
        ),
    ),
    mutation(
        "stopped-not-kept",
        "hints that a stopped handler leaves are neither stored nor reported",
        (
            "App/PushDispatch/Dispatch/DispatchCore+Results.swift",
            "        return settle(id, run, run.stopReport)",
            '        return settle(id, run, isFaulty("stopped-not-kept") ? HandlerReport(changed: run.changed) : run.stopReport)',
        ),
    ),
    mutation(
        "companions-failure-untold",
        "hints that came along with a push and could not be fetched are not reported",
        (
            "App/SelectiveSync/Sync/Core/SyncTicket.swift",
            " || !missed.isEmpty)",
            ' || !missed.isEmpty && !isFaulty("companions-failure-untold"))',
        ),
    ),
    mutation(
        "cold-start-is-another-user",
        "the app's log-in ends the work of the push that started the process",
        (
            "App/SelectiveSync/Sync/UserSession.swift",
            "{ left.number == right.number }",
            "{\n"
            '        if isFaulty("cold-start-is-another-user") { return left.number == right.number && left.user == right.user }\n'
            "        return left.number == right.number\n"
            "    }",
        ),
    ),
    mutation(
        "refused-edit-counts-as-sent",
        "an edit that the server refused counts as sent",
        (
            "App/SelectiveSync/Upload/UploadDecision.swift",
            "        case (_, .refused(let message)): .error(message)\n",
            '        case (_, .refused(let message)): isFaulty("refused-edit-counts-as-sent") ? .clean(id: nil, nil) : .error(message)\n',
        ),
    ),
    mutation(
        "unanswered-edit-counts-as-sent",
        "an edit whose answer was lost counts as sent",
        (
            "App/SelectiveSync/Upload/RecordSync+UploadRun.swift",
            "        } catch {\n"
            "            if error.concernsOneCall {\n",
            '        } catch where isFaulty("unanswered-edit-counts-as-sent") && [.network, .timeout].contains(error.code) {\n'
            "            replies = steps.map { step in\n"
            "                if case .update = step.upload { .done(id: nil, nil) } else { .network }\n"
            "            }\n"
            "        } catch {\n"
            "            if error.concernsOneCall {\n",
        ),
    ),
    mutation(
        "copy-behind-the-mark-not-fetched",
        "a copy that the regular sync skipped because of an edit is not fetched after the upload",
        (
            "App/SelectiveSync/Upload/UploadOutcome.swift",
            "guard case .clean(_, let date, nil) = self, let after, !after.isDirty, progress.mayBePast(date) else {",
            'guard case .clean(_, let date, nil) = self, let after, after.isDirty == isFaulty("copy-behind-the-mark-not-fetched"), progress.mayBePast(date) else {',
        ),
    ),
    mutation(
        "former-users-hint-kept-late",
        "a hint that a slow store saves after its user has logged out stays",
        (
            "App/SelectiveSync/Sync/RecordSync.swift",
            "mark = await inOrder { sessions.isCurrent(session) ? await keep(hint) : nil }",
            'if isFaulty("former-users-hint-kept-late") {\n'
            "                mark = await keep(hint)\n"
            "            } else {\n"
            "                mark = await inOrder { sessions.isCurrent(session) ? await keep(hint) : nil }\n"
            "            }",
        ),
    ),
    mutation(
        "not-forgotten-not-read-again",
        "hints that the store failed to forget are not read again",
        (
            "App/SelectiveSync/Sync/RecordSync+Pending.swift",
            "            loaded[object] = nil\n"
            "            onEvent",
            '            if !isFaulty("not-forgotten-not-read-again") { loaded[object] = nil }\n'
            "            onEvent",
        ),
    ),
    mutation(
        "no-room-made",
        "hints of other objects that no push waits for keep a push's hints out of a full memory",
        (
            "App/SelectiveSync/Sync/RecordSync+Pending.swift",
            "if loading.left != nil, loading.added == 0 {",
            'if loading.left != nil, loading.added == 0, !isFaulty("no-room-made") {',
        ),
    ),
    mutation(
        "refused-request-ends-push",
        "a push whose request is refused ends before the answers of its other requests",
        (
            "App/SelectiveSync/Sync/Core/SyncCore+Tickets.swift",
            "        end(tickets.filter { !$0.value.isOpen && !isUnderWay($0.key, $0.value) })\n",
            '        end(tickets.filter { !$0.value.isOpen && (isFaulty("refused-request-ends-push") || !isUnderWay($0.key, $0.value)) })\n',
        ),
    ),
    mutation(
        "sync-goes-on-after-coming-back",
        "a request for a user continues after that user came back to an empty store",
    ),
    mutation(
        "conflict-overwritten",
        "an upload overwrites what has changed at the server since",
        (
            "App/SelectiveSync/Edits/FieldMerge.swift",
            "            guard !EditableFields.same(their, from) else { continue }\n",
            '            guard !EditableFields.same(their, isFaulty("conflict-overwritten") ? JSONValue.null : from) else { continue }\n',
        ),
    ),
    mutation(
        "all-fields-sent",
        "an upload sends all fields, and not only those that the user changed",
        (
            "App/SelectiveSync/Edits/EditableFields.swift",
            "fields.filter { contains($0.key, $0.value) && !EditableFields.same($0.value, base[$0.key]) }",
            'fields.filter { contains($0.key, $0.value) && (isFaulty("all-fields-sent") || !EditableFields.same($0.value, base[$0.key])) }',
        ),
    ),
    mutation(
        "sent-not-recognised",
        "an upload whose answer was lost is taken for a change by somebody else",
        (
            "App/SelectiveSync/Edits/FieldMerge.swift",
            "            if let sent = sent?[name], EditableFields.same(their, sent) { from = sent }\n",
            '            if let sent = sent?[name], EditableFields.same(their, sent), !isFaulty("sent-not-recognised") { from = sent }\n',
        ),
    ),
    mutation(
        "added-field-not-taken",
        "a field that an app update adds does not reach a record whose upload has no answer",
        (
            "App/SelectiveSync/Merge/MergeDecision.swift",
            "            after.receiveNewFields(of: record.fields)\n",
            '            if !isFaulty("added-field-not-taken") { after.receiveNewFields(of: record.fields) }\n',
        ),
    ),
    mutation(
        "unread-hints-untold",
        "a push does not fail although the hints of earlier pushes cannot be read",
        (
            "App/SelectiveSync/Sync/RecordSync+Pending.swift",
            "            return .failed\n",
            '            return isFaulty("unread-hints-untold") ? .all : .failed\n',
        ),
    ),
    mutation(
        "later-version-taken-for-edit",
        "what automation has made of an upload counts as an edit when the answer of the upload comes late",
        (
            "App/SelectiveSync/Upload/UploadOutcome.swift",
            "                    EditableFields.same(current.base?[name] ?? .null, sent.base?[name] ?? .null)\n",
            "                    EditableFields.same(current.base?[name] ?? .null, sent.base?[name] ?? .null)\n"
            '                        || isFaulty("later-version-taken-for-edit")\n',
        ),
    ),
    mutation(
        "creation-not-looked-up",
        "a new record whose answer was lost is created with another external id",
        (
            "App/SelectiveSync/Upload/UploadDecision.swift",
            "        if isNew, local.sent != nil, object.externalID(of: local) != nil { return .lookUp }\n",
            '        if isNew, local.sent != nil, object.externalID(of: local) != nil, !isFaulty("creation-not-looked-up") { return .lookUp }\n',
        ),
        (
            "App/SelectiveSync/Upload/UploadPass.swift",
            "            record.sent = fields\n"
            "            write =\n",
            '            if isFaulty("creation-not-looked-up") { record.externalID = record.externalID.map { $0 + "x" } }\n'
            "            record.sent = fields\n"
            "            write =\n",
        ),
    ),
    mutation(
        "references-do-not-follow",
        "a reference to a new record keeps its local key",
        (
            "App/SelectiveSync/Upload/UploadDecision.swift",
            "        guard references.isEmpty else { return .wait }\n",
            '        guard references.isEmpty || isFaulty("references-do-not-follow") else { return .wait }\n',
        ),
    ),
    mutation(
        "resolved-theirs-keeps-mine",
        "the decision for the server's version does not end the conflict",
        (
            "App/SelectiveSync/Edits/LocalRecord+Edits.swift",
            "                base?[name] = theirs[name]\n",
            '                if !isFaulty("resolved-theirs-keeps-mine") { base?[name] = theirs[name] }\n',
        ),
    ),
    mutation(
        "dispatcher-keeps-for-former-user",
        "a hint that a dispatcher stores late for a previous user stays",
        (
            "App/PushDispatch/Dispatch/PushDispatcher+Runs.swift",
            "                guard userNumber == self.userNumber else { return }\n",
            '                guard userNumber == self.userNumber || isFaulty("dispatcher-keeps-for-former-user") else { return }\n',
        ),
        (
            "App/PushDispatch/Dispatch/PushDispatcher+User.swift",
            "        try await inOrder {\n"
            "            // An earlier call",
            '        if isFaulty("dispatcher-keeps-for-former-user") {\n'
            "            let number = userNumber\n"
            "            try await pending.forgetAll()\n"
            "            if number == userNumber { mustForgetHints = false }\n"
            "            return\n"
            "        }\n"
            "        try await inOrder {\n"
            "            // An earlier call",
        ),
    ),
    mutation(
        "former-users-call-repeated",
        "a call of the previous user is repeated with the session of the next one",
        (
            "App/SelectiveSync/REST/RESTClient.swift",
            "            guard session.logIn == logIn else {\n",
            '            guard session.logIn == logIn || isFaulty("former-users-call-repeated") else {\n',
        ),
    ),
    mutation(
        "refresh-token-not-stored",
        "a new refresh token is used before it is stored",
        (
            "App/SelectiveSync/OAuth/OAuthSession.swift",
            "        if renewal.error == nil || isReplaced { try await save(renewal.tokens, generation) }\n",
            '        if renewal.error == nil || isReplaced, !isFaulty("refresh-token-not-stored") { try await save(renewal.tokens, generation) }\n',
        ),
    ),
    mutation(
        "renewals-at-the-same-time",
        "each call that waits renews the session by itself",
        (
            "App/SelectiveSync/OAuth/OAuthSession.swift",
            "                guard renewal == nil else { return }\n",
            '                guard renewal == nil || isFaulty("renewals-at-the-same-time") else { return }\n',
        ),
    ),
    mutation(
        "refused-session-asked-again",
        "a refresh token that the server has refused is sent again",
        (
            "App/SelectiveSync/OAuth/OAuthSession.swift",
            "            state.refuse()\n",
            '            if !isFaulty("refused-session-asked-again") { state.refuse() }\n',
        ),
    ),
    mutation(
        "expired-session-not-renewed",
        "a call whose session has expired is repeated with the same one",
        (
            "App/SelectiveSync/REST/RESTClient.swift",
            "            session = try await open(refused: refused)\n",
            '            session = try await open(refused: isFaulty("expired-session-not-renewed") ? nil : refused)\n',
        ),
    ),
    mutation(
        "hints-dropped-without-session",
        "hints are dropped when only a log-in helps",
        (
            "App/SelectiveSync/Sync/Core/SyncCore+Failures.swift",
            "        case .logIn, .keep: return Failure(updates: giveUp(id), dropped: [], retryAt: nil)\n",
            '        case .logIn where isFaulty("hints-dropped-without-session"):\n'
            "            let dropped = served(by: id)\n"
            "            return Failure(updates: drop(id, at: now), dropped: dropped, retryAt: nil)\n"
            "        case .logIn, .keep: return Failure(updates: giveUp(id), dropped: [], retryAt: nil)\n",
        ),
    ),
    mutation(
        "replies-in-wrong-order",
        "the replies of a call with several changes are taken for those of other changes",
        (
            "App/SelectiveSync/REST/RESTClient.swift",
            "            return zip(calls, replies).map { $0.read($1, limits: limits) }\n",
            '            return zip(calls, isFaulty("replies-in-wrong-order") ? replies.reversed() : replies).map { $0.read($1, limits: limits) }\n',
        ),
    ),
    mutation(
        "discarded-edit-stays",
        "a discarded edit stays in the record, which counts as clean",
        (
            "App/SelectiveSync/Edits/LocalRecord+Edits.swift",
            "        if let version = theirs ?? base {\n"
            "            fields = version\n",
            "        if let version = theirs ?? base {\n"
            '            if !isFaulty("discarded-edit-stays") { fields = version }\n',
        ),
    ),
    mutation(
        "version-after-upload-ignored",
        "the version that is read after an upload is not stored, so that it counts as news later",
        (
            "App/SelectiveSync/Upload/UploadOutcome.swift",
            "            if let version { after.update(to: version.fields) }\n",
            '            if let version, !isFaulty("version-after-upload-ignored") { after.update(to: version.fields) }\n',
        ),
    ),
    mutation(
        "copies-not-joined",
        "the edits of a new record are lost where a sync has brought it before the answer to its creation",
        (
            "App/SelectiveSync/Upload/UploadOutcome.swift",
            "            if let other { after.join(other) }\n",
            '            if let other, !isFaulty("copies-not-joined") { after.join(other) }\n',
        ),
    ),
    mutation(
        "condition-not-sent",
        "a change that respects others is sent without its condition",
        (
            "App/SelectiveSync/Upload/UploadPass.swift",
            "            let date = mode == .leaveIfChanged ? stamps.user ?? stamps.system : nil\n",
            '            let date = mode == (isFaulty("condition-not-sent") ? .overwrite : .leaveIfChanged) ? stamps.user ?? stamps.system : nil\n',
        ),
    ),
    mutation(
        "recreated-under-old-key",
        "a record that is created again has no external id of its own",
        (
            "App/SelectiveSync/Edits/LocalRecord+Edits.swift",
            '        if let id = key.id { externalID = "again-\\(id)" }\n',
            '        if let id = key.id, !isFaulty("recreated-under-old-key") { externalID = "again-\\(id)" }\n',
        ),
    ),
    mutation(
        "companions-not-waited-for",
        "a push ends before the hints that came along with it are fetched",
        (
            "App/SelectiveSync/Sync/Core/SyncCore+Tickets.swift",
            "        queues[ticket.object]?.hasCompanions == true && allowsFetches(of: ticket.object)\n"
            "            || isUnderWay(id, ticket)\n",
            '        !isFaulty("companions-not-waited-for") && queues[ticket.object]?.hasCompanions == true && allowsFetches(of: ticket.object)\n'
            "            || isUnderWay(id, ticket)\n",
        ),
    ),
    mutation(
        "edits-of-a-former-user",
        "an edit that is saved after its user has logged out reaches the next user's records",
        (
            "App/SelectiveSync/Store/MemoryRecordStore.swift",
            "        guard generation == self.generation() else { throw SyncStoreError.otherUser }\n",
            '        guard generation == self.generation() || isFaulty("edits-of-a-former-user") && generation.number < self.generation().number\n'
            "        else { throw SyncStoreError.otherUser }\n",
        ),
    ),
    mutation(
        "sqlite-edits-of-a-former-user",
        "the same in the store on SQLite",
        (
            "App/SelectiveSyncSQLite/StoreTransaction.swift",
            "        guard try generation == self.generation else { throw SyncStoreError.otherUser }\n",
            '        guard try generation == self.generation || isFaulty("sqlite-edits-of-a-former-user") && generation.number < self.generation.number\n'
            "        else { throw SyncStoreError.otherUser }\n",
        ),
    ),
    mutation(
        "sqlite-references-do-not-follow",
        "a reference in the store on SQLite keeps its local key when its record gets its id",
        (
            "App/SelectiveSyncSQLite/StoreTransaction.swift",
            "        if let id = after?.key.id, newKey != nil { try follow(current.key, to: id) }\n",
            '        if let id = after?.key.id, newKey != nil, !isFaulty("sqlite-references-do-not-follow") { try follow(current.key, to: id) }\n',
        ),
    ),
    mutation(
        "sqlite-newer-hint-forgotten",
        "the store on SQLite forgets a hint that was kept again during the request for its record",
        (
            "App/SelectiveSyncSQLite/PendingTable.swift",
            "DELETE FROM pending WHERE object = ?1 AND record = ?2 AND mark <= ?3",
            'DELETE FROM pending WHERE object = ?1 AND record = ?2 AND \\(isFaulty("sqlite-newer-hint-forgotten") ? "?3 = ?3" : "mark <= ?3")',
        ),
    ),
    mutation(
        "new-field-not-fetched",
        "an update of the app that adds a field does not fetch it for stored records",
        (
            "App/SelectiveSync/Scope/SyncScope.swift",
            "        guard Set(fields).isSubset(of: former.fields) else {",
            '        guard Set(fields).isSubset(of: isFaulty("new-field-not-fetched") ? former.fields + fields : former.fields) else {',
        ),
    ),
    mutation(
        "filter-change-ignored",
        "a regular sync goes on with its mark after the filter has changed",
        (
            "App/SelectiveSync/Scope/SyncScope.swift",
            "        return filter == former.filter ? .nothing : .filter\n",
            '        return filter == former.filter || isFaulty("filter-change-ignored") ? .nothing : .filter\n',
        ),
    ),
    mutation(
        "departed-stay",
        "records that leave the filter by a change stay",
        (
            "App/SelectiveSync/Sync/Regular/RecordSync+RegularSteps.swift",
            "            let listed = try pass.received(departures: page)\n",
            '            let listed = try pass.received(departures: page).filter { _ in !isFaulty("departed-stay") }\n',
        ),
    ),
    personalization(
        "open-with-another-id",
        "a notification that is opened again has another event id",
        (
            "Personalization/Client/PersonalizationClient+PushOpened.swift",
            "            moment.stamp.id = push.eventID\n",
            '            moment.stamp.id = isFaulty("open-with-another-id") ? moment.makeStamp().id : push.eventID\n',
        ),
    ),
    personalization(
        "impression-not-marked",
        "an impression that is queued does not count as seen",
        (
            "Personalization/Client/PersonalizationCore.swift",
            "mutating func queuedImpression(_ contentID: String) { session.mark(contentID) }",
            'mutating func queuedImpression(_ contentID: String) { if !isFaulty("impression-not-marked") { session.mark(contentID) } }',
        ),
    ),
    personalization(
        "impressions-outlive-session",
        "a new session does not forget what was seen",
        (
            "Personalization/Session/SessionState.swift",
            "        self.id = id\n"
            "        impressions.removeAll()\n",
            "        self.id = id\n"
            '        if !isFaulty("impressions-outlive-session") { impressions.removeAll() }\n',
        ),
    ),
    personalization(
        "session-without-end",
        "the time in the background does not end a session",
        (
            "Personalization/Session/SessionState.swift",
            "now.milliseconds(since: since) >= max(1, timeout) else { return }",
            'now.milliseconds(since: since) >= (isFaulty("session-without-end") ? 1_000 : 1) * max(1, timeout) else { return }',
        ),
    ),
    personalization(
        "session-kept-in-foreground",
        "a process that follows one killed in the foreground goes on with an earlier session",
        (
            "Personalization/Client/PersonalizationCore.swift",
            "            state.session = nil\n"
            "            isDirty = true\n"
            "        }\n"
            "        if configuration",
            '            if !isFaulty("session-kept-in-foreground") { state.session = nil }\n'
            "            isDirty = true\n"
            "        }\n"
            "        if configuration",
        ),
    ),
    personalization(
        "identity-overtakes",
        "identity events go first without holding the order",
        (
            "Personalization/Client/PersonalizationCore.swift",
            "purpose: configuration.purposes.identity, priority: .high, holdsOrder: true,",
            'purpose: configuration.purposes.identity, priority: .high, holdsOrder: !isFaulty("identity-overtakes"),',
        ),
    ),
    personalization(
        "order-not-held",
        "events pass one that holds the order",
        (
            "EventDelivery/Core/DeliveryLane.swift",
            "        if event.holdsOrder { segment += 1 }\n"
            "        let row",
            '        if event.holdsOrder, !isFaulty("order-not-held") { segment += 1 }\n'
            "        let row",
        ),
    ),
    personalization(
        "cache-outlives-user",
        "the cached replies of the former user stay after a log-in or log-out",
        (
            "Personalization/Decisions/Core/DecisionCore+People.swift",
            "let removed = isOther ? cache.removeAll() : cache.keepOnly(user: DecisionCache.Key.user(new))",
            "let removed =\n"
            '            isOther ? (isFaulty("cache-outlives-user") ? 0 : cache.removeAll()) : cache.keepOnly(user: DecisionCache.Key.user(new))',
        ),
    ),
    personalization(
        "fetch-outlives-user",
        "a fetch goes on after somebody else has logged in",
        (
            "Personalization/Decisions/Core/DecisionCore+People.swift",
            "        var actions = dropRequests(.userChanged)\n",
            '        var actions = isFaulty("fetch-outlives-user") ? [] : dropRequests(.userChanged)\n',
        ),
    ),
    personalization(
        "former-person-asked-for",
        "decisions are fetched although the service may not know of the log-out",
        (
            "Personalization/Client/PersonalizationCore.swift",
            "        if state.profile.mayBeTakenForFormer {\n"
            "            return .isFormerPerson(obstacle.map { .formerPerson(because: $0) } ?? .formerPerson)\n"
            "        }\n",
            '        if state.profile.mayBeTakenForFormer, !isFaulty("former-person-asked-for") {\n'
            "            return .isFormerPerson(obstacle.map { .formerPerson(because: $0) } ?? .formerPerson)\n"
            "        }\n",
        ),
    ),
    personalization(
        "shown-without-consent",
        "cached decisions are shown without consent",
        (
            "Personalization/Decisions/Core/DecisionCore.swift",
            "        guard consent == .optedIn else { throw .consent }\n",
            '        guard consent == .optedIn || isFaulty("shown-without-consent") else { throw .consent }\n',
        ),
    ),
    personalization(
        "log-out-not-reported",
        "a log-out is not reported to the service",
        (
            "Personalization/Client/PersonalizationCore.swift",
            "        if wasKnown { postProfile(at: moment) }\n",
            '        if wasKnown, !isFaulty("log-out-not-reported") { postProfile(at: moment) }\n',
        ),
    ),
    personalization(
        "other-user-same-session",
        "a log-in as somebody else goes on with the session",
        (
            "Personalization/Client/PersonalizationCore.swift",
            "        if isOther { forgetPerson(at: moment) }\n",
            '        if isOther { if isFaulty("other-user-same-session") { state.generation += 1 } else { forgetPerson(at: moment) } }\n',
        ),
    ),
    personalization(
        "identity-not-repeated",
        "an identity that an opt-out withdrew is not reported after an opt-in",
        (
            "Personalization/Client/PersonalizationCore.swift",
            "        if !state.profile.isReported { postProfile(at: moment) }\n",
            '        if !state.profile.isReported, !isFaulty("identity-not-repeated") { postProfile(at: moment) }\n',
        ),
    ),
    personalization(
        "outbox-before-state",
        "events of a change are queued although the change is not stored",
        (
            "Personalization/Client/PersonalizationClient.swift",
            "        if let failure = store() { throw failure }\n"
            "        try await drain()\n",
            '        if !isFaulty("outbox-before-state"), let failure = store() { throw failure }\n'
            "        try await drain()\n",
        ),
        (
            "Personalization/Client/PersonalizationClient.swift",
            "        if loaded?.firstOfOutbox.isEmpty == false, let failure = store() { throw failure }\n",
            '        if loaded?.firstOfOutbox.isEmpty == false, !isFaulty("outbox-before-state"), let failure = store() { throw failure }\n',
        ),
    ),
    personalization(
        "outbox-emptied-first",
        "an event leaves the outbox before the queue has it",
        (
            "Personalization/Client/PersonalizationClient.swift",
            "                try await queue.capture(together: events.compactMap { $0.captured(to: configuration.destination) })\n"
            "                loaded?.queuedFirstOfOutbox()\n",
            '                if isFaulty("outbox-emptied-first") { loaded?.queuedFirstOfOutbox() }\n'
            "                try await queue.capture(together: events.compactMap { $0.captured(to: configuration.destination) })\n"
            '                if !isFaulty("outbox-emptied-first") { loaded?.queuedFirstOfOutbox() }\n',
        ),
    ),
    personalization(
        "sent-while-pending",
        "events are sent before the person has answered",
        (
            "EventDelivery/Core/DeliveryLane.swift",
            "if case .consent(let purpose) = gate { consent[purpose] == .optedIn } else { true }",
            "if case .consent(let purpose) = gate {\n"
            '            consent[purpose] == .optedIn || isFaulty("sent-while-pending") && consent[purpose] != .optedOut\n'
            "        } else {\n"
            "            true\n"
            "        }",
        ),
    ),
    personalization(
        "opt-out-keeps-events",
        "an opt-out leaves the events in the queue",
        (
            "EventDelivery/Core/DeliveryCore.swift",
            "            return withdraw(.optedOut) { $0.gate.purpose == purpose }\n",
            '            return isFaulty("opt-out-keeps-events") ? Settlement() : withdraw(.optedOut) { $0.gate.purpose == purpose }\n',
        ),
    ),
    personalization(
        "withdrawn-while-sent",
        "an opt-out does not withdraw what is being sent",
        (
            "EventDelivery/Core/DeliveryCore.swift",
            "                lanes[lane].inFlight?.entries = []\n",
            '                if !isFaulty("withdrawn-while-sent") { lanes[lane].inFlight?.entries = [] }\n',
        ),
    ),
    personalization(
        "refusal-drops-batch",
        "a refused batch is dropped instead of halved",
        (
            "EventDelivery/Core/DeliveryCore+Sending.swift",
            "            if lanes[lane].halve(request.entries.count) {\n",
            '            if lanes[lane].halve(isFaulty("refusal-drops-batch") ? 1 : request.entries.count) {\n',
        ),
    ),
    personalization(
        "failure-is-delivery",
        "a failure of the service counts as delivery",
        (
            "EventDelivery/Policy/AnswerRules.swift",
            "            (200...299, .delivered), (400...400",
            '            (isFaulty("failure-is-delivery") ? 200...599 : 200...299, .delivered), (400...400',
        ),
    ),
    personalization(
        "failed-batch-lost",
        "the events of a failed request are not put back",
        (
            "EventDelivery/Core/DeliveryCore+Sending.swift",
            "        lanes[lane].putBack(request.entries)\n"
            "        let (wait, circuit)",
            '        if !isFaulty("failed-batch-lost") { lanes[lane].putBack(request.entries) }\n'
            "        let (wait, circuit)",
        ),
    ),
    personalization(
        "ledger-not-stored",
        "the ledger is not stored together with the removal of events",
        (
            "EventDelivery/Queue/EventQueue+Store.swift",
            "        changes.remove = settlement.ended\n"
            "        changes.state = encode(core.state)\n"
            "        changes.erases",
            "        changes.remove = settlement.ended\n"
            '        if !isFaulty("ledger-not-stored") { changes.state = encode(core.state) }\n'
            "        changes.erases",
        ),
    ),
    personalization(
        "consent-not-stored",
        "an answer is not stored",
        (
            "EventDelivery/Queue/EventQueue+Consent.swift",
            "        changes.state = encode(core.state)\n"
            "        changes.erases = state == .optedOut\n",
            '        if !isFaulty("consent-not-stored") { changes.state = encode(core.state) }\n'
            "        changes.erases = state == .optedOut\n",
        ),
    ),
    optimization(
        "optimization-consent-not-asked",
        "every event is admitted, whatever the person has answered",
        (
            "Client/OptimizationCore.swift",
            "func admits(_ type: String) -> Bool { consent == true || isAlwaysAllowed(type) }",
            "func admits(_ type: String) -> Bool {\n"
            '        isFaulty("optimization-consent-not-asked") || consent == true || isAlwaysAllowed(type)\n'
            "    }",
        ),
        (
            "Client/OptimizationCore.swift",
            "purpose: isAlwaysAllowed(event.type) ? nil : OptimizationCore.purpose, group: group",
            'purpose: isFaulty("optimization-consent-not-asked") || isFaulty("optimization-withdrawal-keeps-events")\n'
            "                || isAlwaysAllowed(event.type) ? nil : OptimizationCore.purpose, group: group",
        ),
    ),
    optimization(
        "optimization-withdrawal-keeps-events",
        "events in the queues outlive the answer no",
        # Its place is in the text of optimization-consent-not-asked.
    ),
    optimization(
        "optimization-answer-not-stored",
        "the next process does not know the person's answer",
        (
            "Client/OptimizationCore.swift",
            '        keep(OptimizationStorageKey.consent, events ? "accepted" : "denied")\n',
            '        if !isFaulty("optimization-answer-not-stored") {\n'
            '            keep(OptimizationStorageKey.consent, events ? "accepted" : "denied")\n'
            "        }\n",
        ),
    ),
    optimization(
        "optimization-start-values-win",
        "a start value replaces the person's answer",
        (
            "Client/OptimizationCore.swift",
            "let wins = configuration.generation == .later",
            'let wins = isFaulty("optimization-start-values-win") || configuration.generation == .later',
        ),
    ),
    optimization(
        "optimization-answer-not-true-in-events",
        "events say that there is consent where there is none",
        (
            "Client/OptimizationCore.swift",
            "isConsentGiven: consent == true, locale",
            'isConsentGiven: consent == true || isFaulty("optimization-answer-not-true-in-events") && consent == nil, locale',
        ),
    ),
    optimization(
        "optimization-unstored-values-forgotten",
        "values that could not be stored are not stored later",
        (
            "Client/OptimizationClient.swift",
            "                core?.putBack(values)\n",
            '                if !isFaulty("optimization-unstored-values-forgotten") { core?.putBack(values) }\n',
        ),
        (
            "Client/OptimizationCore.swift",
            "        consent = events\n",
            '        if isFaulty("optimization-unstored-values-forgotten"), consent == events { return }\n'
            "        consent = events\n",
        ),
    ),
    optimization(
        "optimization-reset-keeps-profile-id",
        "events of the next person go to the former one's profile",
        (
            "Client/OptimizationCore.swift",
            "(profile, selections, changes, anonymousID) = (nil, nil, nil, nil)",
            "(profile, selections, changes) = (nil, nil, nil)\n"
            '        if !isFaulty("optimization-reset-keeps-profile-id") { anonymousID = nil }',
        ),
    ),
    optimization(
        "optimization-people-in-one-request",
        "a request has events of several people",
        (
            "Configuration/OptimizationConfiguration.swift",
            "        policy.batch.mixesGroups = false\n",
            '        policy.batch.mixesGroups = isFaulty("optimization-people-in-one-request")\n',
        ),
    ),
    optimization(
        "optimization-late-reply-believed",
        "a reply about the former person changes what the next one sees",
        (
            "Client/OptimizationCore.swift",
            "        if let group, group != people.current {\n            people.learned(",
            "        if let group, group != people.current,\n"
            '            selections != nil || !isFaulty("optimization-late-reply-believed")\n'
            "        {\n            people.learned(",
        ),
    ),
    optimization(
        "optimization-locked-follows",
        "a locked entry changes under its reader",
        (
            "Tracking/SelectionLock.swift",
            "        if kept == nil { kept = current }\n",
            '        if kept == nil || isFaulty("optimization-locked-follows") { kept = current ?? kept }\n',
        ),
    ),
    optimization(
        "optimization-locked-forgets-the-panel",
        "a locked entry shows what it had before the panel",
        (
            "Tracking/SelectionLock.swift",
            "            kept = current ?? kept\n            return current\n",
            '            if !isFaulty("optimization-locked-forgets-the-panel") { kept = current ?? kept }\n'
            "            return current\n",
        ),
        (
            "Tracking/SelectionLock.swift",
            "        if wasPanelOpen, let current { kept = current }\n",
            '        if wasPanelOpen, !isFaulty("optimization-locked-forgets-the-panel"), let current { kept = current }\n',
        ),
    ),
    optimization(
        "optimization-preview-reported",
        "views of what the panel has chosen are reported",
        (
            "Tracking/TrackedEntry.swift",
            "guard let id = baseline.id, resolution.selection?.isPreview != true else { return nil }",
            "guard let id = baseline.id,\n"
            '            isFaulty("optimization-preview-reported") || resolution.selection?.isPreview != true\n'
            "        else { return nil }",
        ),
    ),
    optimization(
        "optimization-reply-ends-preview",
        "a reply removes the overrides",
        (
            "Client/OptimizationCore.swift",
            "        selections = reply.selections\n",
            "        selections = reply.selections\n"
            '        if isFaulty("optimization-reply-ends-preview") { overrides.resetAll() }\n',
        ),
    ),
    optimization(
        "optimization-preview-stored",
        "overrides are stored as the service's selections",
        (
            "Client/OptimizationCore.swift",
            "keep(OptimizationStorageKey.personalizations, text(selections.map",
            "keep(\n            OptimizationStorageKey.personalizations,\n"
            '            text((isFaulty("optimization-preview-stored") ? shownSelections : selections).map',
        ),
    ),
    optimization(
        "optimization-failure-is-delivery",
        "events of a refused request count as delivered",
        (
            "Configuration/OptimizationConfiguration.swift",
            "(200...299, .delivered), (503...503",
            '(200...(isFaulty("optimization-failure-is-delivery") ? 500 : 299), .delivered), (503...503',
        ),
    ),
    optimization(
        "optimization-drops-are-silent",
        "events that the queue drops are not reported",
        (
            "Client/OptimizationClient.swift",
            "                report(.queue(event))\n",
            '                if isFaulty("optimization-drops-are-silent"), case .dropped = event { return }\n'
            "                report(.queue(event))\n",
        ),
    ),
    optimization(
        "optimization-view-goes-on-in-background",
        "the time in the background counts as seen",
        (
            "Tracking/ViewTracking.swift",
            "        guard rules.isVisible(ratio) else { return ended(at: now) }\n",
            "        guard rules.isVisible(ratio) else {\n"
            '            guard isFaulty("optimization-view-goes-on-in-background") else { return ended(at: now) }\n'
            "            view = nil\n            return [Report(viewID: makeID(), durationMilliseconds: 0)]\n        }\n",
        ),
    ),
    worker(
        "settles-before-outcomes",
        "a job is settled while pushes of it are in flight",
        (
            "Core/WorkerCore+Outcomes.swift",
            "        if slots[slot].open == 0 {\n"
            "            conclude(slot)\n"
            "        } else if",
            "        if slots[slot].open == 0\n"
            '            || isFaulty("worker-settles-before-outcomes")\n'
            "                && !slots[slot].lines.indices.contains(where: { slots[slot].lines[$0] == .waiting })\n"
            "        {\n"
            "            conclude(slot)\n"
            "        } else if",
        ),
    ),
    worker(
        "releases-in-flight",
        "a worker that stops releases jobs of which pushes are in flight",
        (
            "Core/WorkerCore.swift",
            "guard job.isHeld, job.open > 0, job.inFlight == 0 else { continue }",
            "guard job.isHeld, job.open > 0,\n"
            '                job.inFlight == 0 || isFaulty("worker-releases-in-flight")\n'
            "            else { continue }",
        ),
    ),
    worker(
        "forgets-failed-settlement",
        "a settlement that the engine did not answer is not repeated",
        (
            "Core/WorkerCore+Settling.swift",
            "            for slot in settling.reversed() { ended.prepend(slot) }\n",
            '            if !isFaulty("worker-forgets-failed-settlement") {\n'
            "                for slot in settling.reversed() { ended.prepend(slot) }\n"
            "            }\n",
        ),
    ),
    worker(
        "extends-nothing",
        "leases are not extended",
        (
            "Core/WorkerCore+Settling.swift",
            "        guard now >= nextExtension else { return [] }\n",
            '        guard now >= nextExtension, !isFaulty("worker-extends-nothing") else { return [] }\n',
        ),
    ),
    worker(
        "repeats-accepted-lines",
        "what follows from one line of a job takes the other lines along",
        (
            "Core/HeldJob.swift",
            "        var content = job.content\n"
            "        content.attempt = attempt\n",
            '        let lines = isFaulty("worker-repeats-accepted-lines") ? Array(self.lines.indices) : lines\n'
            "        var content = job.content\n"
            "        content.attempt = attempt\n",
        ),
    ),
    worker(
        "new-id-for-retry",
        "a push that comes back has another apns-id",
        (
            "Core/HeldJob.swift",
            "        context.ids = lines.map { id(of: $0, derived) }\n",
            '        context.ids = isFaulty("worker-new-id-for-retry") ? [] : lines.map { id(of: $0, derived) }\n',
        ),
    ),
    worker(
        "group-forgotten",
        "what a job's lines add for later or again is not settled",
        (
            "Core/HeldJob.swift",
            "        for (group, lines) in groups {\n",
            '        for (group, lines) in groups where !isFaulty("worker-group-forgotten") {\n',
        ),
    ),
    worker(
        "dead-line-forgotten",
        "a push that is refused for good is not in the dead letter",
        (
            "Core/WorkerCore+Outcomes.swift",
            "        slots[slot].settlement.dead.append(",
            '        if !isFaulty("worker-dead-line-forgotten") { slots[slot].settlement.dead.append(',
        ),
        (
            "Core/WorkerCore+Outcomes.swift",
            "DeadContent(content, reason: reason, why: why))\n",
            "DeadContent(content, reason: reason, why: why)) }\n",
        ),
    ),
    worker(
        "feedback-twice",
        "a dead device token is reported twice",
        (
            "Core/WorkerCore+Outcomes.swift",
            "            addFeedback(slot, tenant, result, isSuspect: followUp == .suspect)\n",
            "            addFeedback(slot, tenant, result, isSuspect: followUp == .suspect)\n"
            '            if isFaulty("worker-feedback-twice") {\n'
            "                addFeedback(slot, tenant, result, isSuspect: followUp == .suspect)\n"
            "            }\n",
        ),
    ),
    worker(
        "pause-without-end",
        "a pause never ends",
        (
            "Outcomes/Circuit.swift",
            "now >= until ? .one : .none(until: until)",
            'now >= until && !isFaulty("worker-pause-without-end")\n'
            '                ? isFaulty("worker-probes-with-all") ? .all : .one : .none(until: until)',
        ),
    ),
    worker(
        "probes-with-all",
        "after a pause everything is sent instead of one push",
        (
            "Core/WorkerCore+Sending.swift",
            "        reference.probesHost = hosts",
            '        if isFaulty("worker-probes-with-all") {\n'
            "            return batch.append(OutgoingPush(reference: reference, submission: push.submission))\n"
            "        }\n"
            "        reference.probesHost = hosts",
        ),
    ),
    worker(
        "credentials-do-not-pause",
        "a tenant whose credentials are refused is not paused",
        (
            "Core/WorkerCore+Outcomes.swift",
            "        let until = tenants[tenant].circuit.failed(",
            '        guard !isFaulty("worker-credentials-do-not-pause") else { return }\n'
            "        let until = tenants[tenant].circuit.failed(",
        ),
    ),
    worker(
        "no-breaker",
        "pushes go on to a host that cannot be reached",
        (
            "Core/WorkerCore+Outcomes.swift",
            "            let until = hosts[host].circuit.failed(\n",
            '            guard !isFaulty("worker-no-breaker") else { return }\n'
            "            let until = hosts[host].circuit.failed(\n",
        ),
    ),
    worker(
        "retries-at-once",
        "a push that has to wait is sent again at once",
        (
            "Core/WorkerCore+Outcomes.swift",
            "                in: HeldJob.Group(wait: rounded(wait), attempt: attempt, reason: reason, why: why, isEvent: true))\n"
            "        case .credentials",
            "                in: HeldJob.Group(\n"
            '                    wait: isFaulty("worker-retries-at-once") ? nil : rounded(wait), attempt: attempt, reason: reason,\n'
            "                    why: why, isEvent: true))\n"
            "        case .credentials",
        ),
    ),
    worker(
        "sender-never-free",
        "a refused push goes on counting as in flight",
        (
            "Core/WorkerCore+Outcomes.swift",
            "        tenants[tenant].inFlight -= 1\n",
            '        if !isFaulty("worker-sender-never-free") || finished.result.outcome.name == "accepted" {\n'
            "            tenants[tenant].inFlight -= 1\n"
            "        }\n",
        ),
    ),
    worker(
        "sender-over-full",
        "a tenant's sender gets more than it takes",
        (
            "Core/WorkerCore+Sending.swift",
            "limit - tenants[tenant].inFlight -",
            'limit - (isFaulty("worker-sender-over-full") ? 0 : tenants[tenant].inFlight) -',
        ),
    ),
    worker(
        "deferred-still-counted",
        "pushes that wait in the engine instead go on counting as waiting",
        (
            "Core/WorkerCore+Outcomes.swift",
            "            for push in lanes[lane].removeAll(of: tenant) {\n"
            "                waiting -= 1\n",
            "            for push in lanes[lane].removeAll(of: tenant) {\n"
            '                waiting -= isFaulty("worker-deferred-still-counted") ? 0 : 1\n',
        ),
    ),
    worker(
        "unsent-forgotten",
        "a push that was not sent is not put back",
        (
            "Core/WorkerCore+Outcomes.swift",
            "        guard !isDraining, !job.isLost else { return }\n",
            '        guard !isDraining, !job.isLost, !isFaulty("worker-unsent-forgotten") else { return }\n',
        ),
    ),
    worker(
        "doubt-believed",
        "a push whose outcome is unknown counts as accepted",
        (
            "Core/WorkerCore+Outcomes.swift",
            "        case .doubt: doubt(finished,",
            '        case .doubt where isFaulty("worker-doubt-believed"): end(slot, line)\n'
            "        case .doubt: doubt(finished,",
        ),
    ),
    worker(
        "tenant-keeps-its-turn",
        "the tenant whose push failed tries its host again before the others",
        (
            "Core/WorkerCore+Reserving.swift",
            "        guard hosts[host].failed == tenant, hosts[host].tenants > 1,\n",
            '        guard !isFaulty("worker-tenant-keeps-its-turn"), hosts[host].failed == tenant, hosts[host].tenants > 1,\n',
        ),
    ),
    worker(
        "old-credentials-decide",
        "the outcome of a push with former credentials decides about the new ones",
        (
            "Core/WorkerCore+Outcomes.swift",
            "        let isCurrent = reference.credentials == credentials\n",
            '        let isCurrent = reference.credentials == credentials || isFaulty("worker-old-credentials-decide")\n',
        ),
    ),
]
