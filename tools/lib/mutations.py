"""Deliberate faults in the code, each of which the simulation has to find."""

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

MUTATIONS = [
    mutation(
        "mark-moved-by-selective-fetch",
        "a selective fetch moves the high-water mark",
        (
            "App/SelectiveSync/Sync/RecordSync+Fetching.swift",
            "        do {\n            let result = try await store.merge(batch)\n",
            "        var moved = (try? await store.progress(of: object)) ?? SyncProgress()\n"
            "        for answer in accepted {\n"
            "            if case .record(let record) = answer { moved.mark = record.lastModifiedDate ?? moved.mark }\n"
            "        }\n"
            "        batch.progress = moved\n"
            "        do {\n            let result = try await store.merge(batch)\n",
        ),
    ),
    mutation(
        "dirty-overwritten",
        "a fetched record replaces one with an edit that was never sent",
        (
            "App/SelectiveSync/Merge/MergeDecision.swift",
            "        if rules.mode == .overwrite { return .replace(record) }\n",
            "        if rules.mode == .leaveIfChanged { return .replace(record) }\n",
        ),
    ),
    mutation(
        "dirty-removed-when-gone",
        "a record that the server deleted is removed here although it has an edit",
        (
            "App/SelectiveSync/Merge/MergeDecision.swift",
            "guard after.receiveDeletion(rules) else { return .remove }",
            "guard after.receiveDeletion(rules), local.isGone else { return .remove }",
        ),
    ),
    mutation(
        "older-stamp-applied",
        "an older copy replaces a newer one",
        ("App/SelectiveSync/Merge/MergeDecision.swift", "stamps.age(against: local.stamps) == .older || isBeforeUpload(stamps, local)", "isBeforeUpload(stamps, local)"),
    ),
    mutation(
        "two-requests-for-one-record",
        "a hint for a record that is being fetched queues it again at once",
        (
            "App/SelectiveSync/Sync/Core/SyncQueue.swift",
            "        case .underWay: entry.again = true\n        case .backlog:",
            "        case .underWay:\n            entry.place = .fresh\n            fresh.append(record)\n            waitingCount += 1\n        case .backlog:",
        ),
    ),
    mutation(
        "pending-forgotten-before-merge",
        "hints leave the pending list when the request goes out",
        (
            "App/SelectiveSync/Sync/RecordSync+Fetching.swift",
            "        let sequence = concurrentAnswers.beginRequest()\n        let user = sessions.current.user\n",
            "        await forget(core.served(by: start.request), of: start.fetch.object)\n"
            "        let sequence = concurrentAnswers.beginRequest()\n        let user = sessions.current.user\n",
        ),
    ),
    mutation(
        "completion-twice",
        "the completion is called twice",
        (
            "App/PushDispatch/Dispatch/PushDispatcher.swift",
            "        start { completion(await self.handle(push, from: entryPoint, by: deadline)) }\n",
            "        start {\n            let result = await self.handle(push, from: entryPoint, by: deadline)\n"
            "            completion(result)\n            completion(result)\n        }\n",
        ),
    ),
    mutation(
        "completion-before-keeping",
        "the result is reported before unfinished hints are stored",
        (
            "App/PushDispatch/Dispatch/PushDispatcher+Runs.swift",
            "        start { [userNumber] in await self.keep(hint, of: run, userNumber) }\n",
            "        answer(core.answers(of: run), of: run)\n        start { [userNumber] in await self.keep(hint, of: run, userNumber) }\n",
        ),
    ),
    mutation(
        "unfinished-not-kept",
        "hints that a handler leaves unfinished are not stored",
        (
            "App/PushDispatch/Dispatch/DispatchCore+Results.swift",
            "keep: keep.records.isEmpty ? nil : keep, next: next)",
            "keep: keep.records.count > 1_000 ? keep : nil, next: next)",
        ),
    ),
    mutation(
        "no-deadline",
        "the time limit of a handler is not enforced",
        (
            "App/PushDispatch/Dispatch/PushDispatcher+Timer.swift",
            "        setTimer(at: timing.next(after: clock.now()) ?? timing.deadline)\n",
            "",
        ),
    ),
    mutation(
        "failure-told-as-no-data",
        "a handler that failed is reported as having found nothing new",
        (
            "App/PushDispatch/Dispatch/HandlerReport.swift",
            "return isFailed || !unfinished.isEmpty ? .failed : .noData",
            "return .noData",
        ),
    ),
    mutation(
        "news-told-as-no-data",
        "stored news is reported as nothing new",
        ("App/SelectiveSync/Merge/MergeResult.swift", "        if merge.isNewData { changed.append(record) }\n", ""),
    ),
    mutation(
        "former-users-pending-kept",
        "the hints of the previous user stay for the next one",
        (
            "App/SelectiveSync/Store/MemoryRecordStore.swift",
            "        progress = [:]\n        list.removeAll()\n",
            "        progress = [:]\n",
        ),
        ("App/PushDispatch/Dispatch/PushDispatcher+User.swift", "            try await pending.forgetAll()\n", ""),
    ),
    mutation(
        "sync-goes-on-for-next-user",
        "a regular sync that the previous user started stores for the next one",
        (
            "App/SelectiveSync/Sync/Regular/RecordSync+RegularSteps.swift",
            "var batch = MergeBatch(run.object.name, answers, rules: run.object.mergeRules, user: run.session.user)",
            "var batch = MergeBatch(run.object.name, answers, rules: run.object.mergeRules, user: sessions.current.user)",
        ),
        ("App/SelectiveSync/Sync/UserSession.swift", "{ session == current }", "{ session.number <= current.number }"),
    ),
    mutation(
        "pending-without-bound",
        "the pending list grows without bound",
        ("App/PushDispatch/Pending/PendingList.swift", "while count > maximumRecords, let", "while count > 1_000_000, let"),
    ),
    mutation(
        "hints-beyond-memory-lost",
        "hints that did not fit in memory are not loaded again",
        (
            "App/SelectiveSync/Sync/RecordSync+Pending.swift",
            "loading.left.map { PendingMark(number: $0.number - 1) } ?? pending.last?.mark",
            "pending.last?.mark",
        ),
    ),
    mutation(
        "mark-beyond-server-date",
        "the mark moves past the moment at which the server began to answer",
        ("App/SelectiveSync/Sync/Regular/RegularSyncPass+Pages.swift", "let bound = min(date, pass.serverDate ?? date)", "let bound = date"),
    ),
    mutation(
        "mark-moved-while-unsorted",
        "the mark moves page by page although the pages are not in order",
        ("App/SelectiveSync/Sync/Regular/RegularSyncPass+Pages.swift", "page.next == nil ? pages.highest : pages.covered", "pages.highest"),
    ),
    mutation(
        "changes-while-reading-believed",
        "records that changed while the pages were read count for the order of the pages",
        (
            "App/SelectiveSync/Sync/Regular/RegularSyncPass+Pages.swift",
            "return date < made.advanced(byMilliseconds: -max(0, policy.overlapMilliseconds))",
            "return true",
        ),
    ),
    mutation(
        "deletions-by-device-clock",
        "the next span of deletions begins at the time of the device's clock",
        (
            "App/SelectiveSync/Sync/Regular/RegularSyncPass.swift",
            "let covered = known < start ?",
            "let covered = now > known ? now : known < start ?",
        ),
    ),
    mutation(
        "lost-deletions-ignored",
        "it is not noticed that the server has forgotten deletions",
        (
            "App/SelectiveSync/Sync/Regular/RegularSyncPass.swift",
            "earliest > covered, !pass.isFull",
            "earliest > covered, !pass.isFull, start > now",
        ),
    ),
    mutation(
        "late-commits-missed",
        "a regular sync begins at its mark, so that what was committed late never arrives",
        (
            "App/SelectiveSync/Sync/Regular/RegularSyncPass.swift",
            "mark.advanced(byMilliseconds: -max(0, policy.overlapMilliseconds) - 1)",
            "mark.advanced(byMilliseconds: -1)",
        ),
    ),
    mutation(
        "ghosts-kept",
        "records that the server no longer returns stay",
        (
            "App/SelectiveSync/Sync/Regular/RegularSyncPass.swift",
            "        return missing\n",
            "        return []\n",
        ),
    ),
    mutation(
        "broken-pass-not-followed",
        "no further pass follows one that was broken off and resumed",
        ("App/SelectiveSync/Sync/Regular/RecordSync+Regular.swift", "report.state == .done && pass.isResumed", "false"),
    ),
    mutation(
        "contradictions-believed",
        "of two contradicting answers the later one is believed",
        (
            "App/SelectiveSync/Sync/ConcurrentAnswers.swift",
            "if let other = known[answer.id], other.answered > sequence, other.isPresent != answer.isPresent {",
            "if let other = known[answer.id], other.answered > sequence, other.isPresent != answer.isPresent, sequence < 0 {",
        ),
    ),
    mutation(
        "late-edit-taken-for-sent",
        "an edit made during the upload of its record counts as sent",
        (
            "App/SelectiveSync/Upload/UploadOutcome.swift",
            "                after.taken(taken ?? [:], id: id)\n",
            "                after.taken(taken ?? [:], id: id)\n                after.clean()\n",
        ),
    ),
    mutation(
        "twin-dropped-after-request",
        "a push that comes in after the request for its twin was sent is answered with it",
        (
            "App/PushDispatch/Dispatch/DispatchCore.swift",
            "                case .waiting, .running: true\n                case .requested, .settling: isOther",
            "                case .waiting, .running, .requested: true\n                case .settling: isOther",
        ),
    ),
    mutation(
        "twin-window-without-end",
        "a payload from another entry point counts as the same push for an hour",
        (
            "App/PushDispatch/Dispatch/DispatchPolicy.swift",
            "public var duplicateWindowMilliseconds: Int64 = 1_000\n",
            "public var duplicateWindowMilliseconds: Int64 = 1_000\n    var hour: Int64 { 3_600_000 }\n",
        ),
        (
            "App/PushDispatch/Dispatch/DispatchCore.swift",
            "now.milliseconds(since: arrived) <= policy.duplicateWindowMilliseconds",
            "now.milliseconds(since: arrived) <= policy.hour",
        ),
    ),
    mutation(
        "again-not-fetched",
        "a record is not fetched once more when a hint came after its request went out",
        (
            "App/SelectiveSync/Sync/Core/SyncQueue.swift",
            "        case .underWay: entry.again = true\n        case .backlog:",
            "        case .underWay: break\n        case .backlog:",
        ),
        (
            "App/SelectiveSync/Sync/Core/SyncQueue.swift",
            "        if case .underWay = entry.place { entry.again = true }\n        entries[item.record]",
            "        entries[item.record]",
        ),
    ),
    mutation(
        "hint-joins-older-request",
        "a hint is answered with a request that was sent before the hint was stored",
        (
            "App/SelectiveSync/Sync/Core/SyncQueue.swift",
            "            mark <= sent\n",
            "            mark.number + sent.number > 0\n",
        ),
        (
            "App/SelectiveSync/Sync/Core/SyncQueue.swift",
            "        if case .underWay = entry.place { entry.again = true }\n        entries[item.record]",
            "        entries[item.record]",
        ),
    ),
    mutation(
        "arriving-push-not-told",
        "a push whose hint is being stored is not informed that its record's request is sent",
        (
            "App/SelectiveSync/Sync/Core/SyncWaiters.swift",
            "guard !arriving.isEmpty else { return contexts }",
            "guard arriving.count > 1_000_000 else { return contexts }",
        ),
    ),
    mutation(
        "drain-without-end",
        "a fetch of all waiting hints is not ended when its time is over",
        ("App/SelectiveSync/Sync/RecordSync+Fetching.swift", "        deliver(core.timeRanOut(at: now))\n", ""),
    ),
    mutation(
        "unknown-sent-again",
        "a notification that was written when its connection broke is sent once more",
        ("Sender/APNSProvider/Pool/ProviderCore.swift", "} else if wasSent(slot) {", "} else if wasSent(slot), slot > 1_000_000 {"),
    ),
    mutation(
        "refused-stream-lost",
        "a notification above the last stream of a GOAWAY has no outcome",
        (
            "Sender/APNSProvider/Pool/ProviderCore.swift",
            "        if isRefused {\n            queue.prepend(taken.submission)\n            return nil\n",
            "        if isRefused {\n            return nil\n",
        ),
    ),
    mutation(
        "automatic-changes-missed",
        "the regular sync uses the date of the last change by a user",
        (
            "App/SelectiveSync/Records/SyncObject.swift",
            "orderField = stamps.contains(\"SystemModstamp\") ? \"SystemModstamp\" : \"LastModifiedDate\"",
            "orderField = \"LastModifiedDate\"",
        ),
    ),
    mutation(
        "echo-is-news",
        "what the device itself uploaded counts as news when it comes back",
        ("App/SelectiveSync/Upload/UploadOutcome.swift", "            if let version { after.update(to: version.fields) }\n", ""),
    ),
    mutation(
        "asks-while-changing-hands",
        "regular sync and upload send requests during a change of user, and after a log-out",
        (
            "App/SelectiveSync/Sync/UserSession.swift",
            "var allowsRequests: Bool { !isChanging && !isLoggedOut }",
            "var allowsRequests: Bool { true }",
        ),
    ),
    mutation(
        "fetches-while-changing-hands",
        "a selective fetch sends requests during a change of user",
        (
            "App/SelectiveSync/Sync/RecordSync+Fetching.swift",
            "        guard !sessions.isChanging else { return }\n        for next in",
            "        for next in",
        ),
        (
            "App/SelectiveSync/Sync/RecordSync+Fetching.swift",
            "            guard !sessions.isChanging else {\n                throw",
            "            guard !sessions.isChanging || sequence >= 0 else {\n                throw",
        ),
    ),
    mutation(
        "drains-after-log-out",
        "waiting hints are fetched after a log-out",
        (
            "App/SelectiveSync/Sync/RecordSync.swift",
            "        guard !sessions.isLoggedOut else { return HandlerReport(changed: 0) }\n        let context",
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
            "        guard left > 0, !Task.isCancelled, core.allowsFetches(of: run.object.name)\n",
        ),
    ),
    mutation(
        "stores-in-any-order",
        "answers, outcomes of uploads and changes of user are stored in no fixed order",
        ("App/PushDispatch/Dispatch/SerialQueue.swift", "        if isBusy {\n", "        if isBusy, waiting.count > 1_000 {\n"),
    ),
    mutation(
        "stopped-not-kept",
        "hints that a stopped handler leaves are neither stored nor reported",
        (
            "App/PushDispatch/Dispatch/DispatchCore+Results.swift",
            "        return settle(id, run, run.stopReport)",
            "        return settle(id, run, HandlerReport(changed: run.changed))",
        ),
    ),
    mutation(
        "companions-failure-untold",
        "hints that came along with a push and could not be fetched are not reported",
        ("App/SelectiveSync/Sync/Core/SyncTicket.swift", " || !missed.isEmpty)", ")"),
    ),
    mutation(
        "cold-start-is-another-user",
        "the app's log-in ends the work of the push that started the process",
        ("App/SelectiveSync/Sync/UserSession.swift", "{ left.number == right.number }", "{ left.number == right.number && left.user == right.user }"),
    ),
    mutation(
        "refused-edit-counts-as-sent",
        "an edit that the server refused counts as sent",
        (
            "App/SelectiveSync/Upload/UploadDecision.swift",
            "        case (_, .refused(let message)): .error(message)\n",
            "        case (_, .refused): .clean(id: nil, nil)\n",
        ),
    ),
    mutation(
        "unanswered-edit-counts-as-sent",
        "an edit whose answer was lost counts as sent",
        (
            "App/SelectiveSync/Upload/UploadDecision.swift",
            "        case (_, .network), (_, .unavailable): .failPass\n",
            "        case (.update, .network): .clean(id: nil, nil)\n        case (_, .network), (_, .unavailable): .failPass\n",
        ),
    ),
    mutation(
        "copy-behind-the-mark-not-fetched",
        "a copy that the regular sync skipped because of an edit is not fetched after the upload",
        (
            "App/SelectiveSync/Upload/UploadOutcome.swift",
            "guard case .clean(_, let date, nil) = self, let after, !after.isDirty, progress.mayBePast(date) else {",
            "guard case .clean(_, let date, nil) = self, let after, after.isDirty, progress.mayBePast(date) else {",
        ),
    ),
    mutation(
        "former-users-hint-kept-late",
        "a hint that a slow store saves after its user has logged out stays",
        (
            "App/SelectiveSync/Sync/RecordSync.swift",
            "mark = await inOrder { sessions.isCurrent(session) ? await keep(hint) : nil }",
            "mark = await keep(hint)",
        ),
    ),
    mutation(
        "not-forgotten-not-read-again",
        "hints that the store failed to forget are not read again",
        (
            "App/SelectiveSync/Sync/RecordSync+Pending.swift",
            "            loaded[object] = nil\n            onEvent",
            "            onEvent",
        ),
    ),
    mutation(
        "no-room-made",
        "hints of other objects that no push waits for keep a push's hints out of a full memory",
        (
            "App/SelectiveSync/Sync/RecordSync+Pending.swift",
            "if loading.left != nil, loading.added == 0 {",
            "if loading.left != nil, loading.added < 0 {",
        ),
    ),
    mutation(
        "refused-request-ends-push",
        "a push whose request is refused ends before the answers of its other requests",
        (
            "App/SelectiveSync/Sync/Core/SyncCore+Tickets.swift",
            "        end(tickets.filter { !$0.value.isOpen && !isUnderWay($0.key, $0.value) })\n",
            "        end(tickets.filter { !$0.value.isOpen })\n",
        ),
    ),
    mutation(
        "sync-goes-on-after-coming-back",
        "a request for a user continues after that user came back to an empty store",
        (
            "App/SelectiveSync/Sync/UserSession.swift",
            "{ left.number == right.number }",
            "{ left.number == right.number || left.user != nil && left.user == right.user }",
        ),
    ),
    mutation(
        "conflict-overwritten",
        "an upload overwrites what has changed at the server since",
        (
            "App/SelectiveSync/Edits/FieldMerge.swift",
            "            guard !EditableFields.same(their, from) else { continue }\n",
            "            guard EditableFields.same(their, .null) else { continue }\n",
        ),
    ),
    mutation(
        "all-fields-sent",
        "an upload sends all fields, and not only those that the user changed",
        (
            "App/SelectiveSync/Edits/EditableFields.swift",
            "fields.filter { contains($0.key, $0.value) && !EditableFields.same($0.value, base[$0.key]) }",
            "fields.filter { contains($0.key, $0.value) }",
        ),
    ),
    mutation(
        "sent-not-recognised",
        "an upload whose answer was lost is taken for a change by somebody else",
        (
            "App/SelectiveSync/Edits/FieldMerge.swift",
            "            if let sent = sent?[name], EditableFields.same(their, sent) { from = sent }\n",
            "",
        ),
    ),
    mutation(
        "creation-not-looked-up",
        "a new record whose answer was lost is created with another external id",
        (
            "App/SelectiveSync/Upload/UploadDecision.swift",
            "        if isNew, local.sent != nil, object.externalID(of: local) != nil { return .lookUp }\n",
            "",
        ),
        (
            "App/SelectiveSync/Upload/UploadPass.swift",
            "            record.sent = fields\n            write =\n",
            "            record.externalID = record.externalID.map { $0 + \"x\" }\n            record.sent = fields\n            write =\n",
        ),
    ),
    mutation(
        "references-do-not-follow",
        "a reference to a new record keeps its local key",
        (
            "App/SelectiveSync/Upload/UploadDecision.swift",
            "        guard references.isEmpty else { return .wait }\n",
            "",
        ),
    ),
    mutation(
        "resolved-theirs-keeps-mine",
        "the decision for the server's version does not end the conflict",
        (
            "App/SelectiveSync/Edits/LocalRecord+Edits.swift",
            "                base?[name] = theirs[name]\n",
            "",
        ),
    ),
    mutation(
        "dispatcher-keeps-for-former-user",
        "a hint that a dispatcher stores late for a previous user stays",
        (
            "App/PushDispatch/Dispatch/PushDispatcher+Runs.swift",
            "                guard userNumber == self.userNumber else { return }\n",
            "",
        ),
        ("App/PushDispatch/Dispatch/PushDispatcher+User.swift", "        try await inOrder {\n            // An earlier call", "        do {\n            // An earlier call"),
    ),
    mutation(
        "former-users-call-repeated",
        "a call of the previous user is repeated with the session of the next one",
        (
            "App/SelectiveSync/REST/RESTClient.swift",
            "            guard session.logIn == logIn else {\n",
            "            guard session.logIn == logIn || true else {\n",
        ),
    ),
    mutation(
        "refresh-token-not-stored",
        "a new refresh token is used before it is stored",
        (
            "App/SelectiveSync/OAuth/OAuthSession.swift",
            "        if renewal.error == nil || isReplaced { try await save(renewal.tokens, generation) }\n",
            "",
        ),
    ),
    mutation(
        "renewals-at-the-same-time",
        "each call that waits renews the session by itself",
        ("App/SelectiveSync/OAuth/OAuthSession.swift", "                guard renewal == nil else { return }\n", ""),
    ),
    mutation(
        "refused-session-asked-again",
        "a refresh token that the server has refused is sent again",
        ("App/SelectiveSync/OAuth/OAuthSession.swift", "            state.refuse()\n", ""),
    ),
    mutation(
        "expired-session-not-renewed",
        "a call whose session has expired is repeated with the same one",
        (
            "App/SelectiveSync/REST/RESTClient.swift",
            "            session = try await open(refused: refused)\n",
            "            session = try await open(refused: nil)\n",
        ),
    ),
    mutation(
        "hints-dropped-without-session",
        "hints are dropped when only a log-in helps",
        (
            "App/SelectiveSync/Sync/Core/SyncCore+Failures.swift",
            "        case .logIn, .keep: return Failure(updates: giveUp(id), dropped: [], retryAt: nil)\n",
            "        case .logIn:\n            let dropped = served(by: id)\n"
            "            return Failure(updates: drop(id, at: now), dropped: dropped, retryAt: nil)\n"
            "        case .keep: return Failure(updates: giveUp(id), dropped: [], retryAt: nil)\n",
        ),
    ),
    mutation(
        "replies-in-wrong-order",
        "the replies of a call with several changes are taken for those of other changes",
        (
            "App/SelectiveSync/REST/RESTClient.swift",
            "            return zip(calls, replies).map { $0.read($1, limits: limits) }\n",
            "            return zip(calls, replies.reversed()).map { $0.read($1, limits: limits) }\n",
        ),
    ),
    mutation(
        "discarded-edit-stays",
        "a discarded edit stays in the record, which counts as clean",
        (
            "App/SelectiveSync/Edits/LocalRecord+Edits.swift",
            "        if let version = theirs ?? base {\n            fields = version\n",
            "        if theirs ?? base != nil {\n",
        ),
    ),
    mutation(
        "version-after-upload-ignored",
        "what automation has made of an upload is read and not stored",
        (
            "App/SelectiveSync/Upload/UploadOutcome.swift",
            "            if let version { after.update(to: version.fields) }\n",
            "",
        ),
    ),
    mutation(
        "copies-not-joined",
        "the edits of a new record are lost where a sync has brought it before the answer to its creation",
        ("App/SelectiveSync/Upload/UploadOutcome.swift", "            if let other { after.join(other) }\n", ""),
    ),
    mutation(
        "condition-not-sent",
        "a change that respects others is sent without its condition",
        (
            "App/SelectiveSync/Upload/UploadPass.swift",
            "            let date = mode == .leaveIfChanged ? stamps.user ?? stamps.system : nil\n",
            "            let date = mode == .overwrite ? stamps.user ?? stamps.system : nil\n",
        ),
    ),
    mutation(
        "recreated-under-old-key",
        "a record that is created again has no external id of its own",
        (
            "App/SelectiveSync/Edits/LocalRecord+Edits.swift",
            "        if let id = key.id { externalID = \"again-\\(id)\" }\n",
            "",
        ),
    ),
    mutation(
        "companions-not-waited-for",
        "a push ends before the hints that came along with it are fetched",
        (
            "App/SelectiveSync/Sync/Core/SyncCore+Tickets.swift",
            "        queues[ticket.object]?.hasBacklog == true && allowsFetches(of: ticket.object)\n            || isUnderWay(id, ticket)\n",
            "        isUnderWay(id, ticket)\n",
        ),
    ),
    mutation(
        "edits-of-a-former-user",
        "an edit that is saved after its user has logged out reaches the next user's records",
        (
            "App/SelectiveSync/Store/MemoryRecordStore.swift",
            "        guard generation == self.generation() else { throw SyncStoreError.otherUser }\n",
            "        guard generation.number <= self.generation().number else { throw SyncStoreError.otherUser }\n",
        ),
    ),
    mutation(
        "sqlite-edits-of-a-former-user",
        "the same in the store on SQLite",
        (
            "App/SelectiveSyncSQLite/StoreTransaction.swift",
            "        guard try generation == self.generation else { throw SyncStoreError.otherUser }\n",
            "        guard try generation.number <= self.generation.number else { throw SyncStoreError.otherUser }\n",
        ),
    ),
    mutation(
        "sqlite-references-do-not-follow",
        "a reference in the store on SQLite keeps its local key when its record gets its id",
        (
            "App/SelectiveSyncSQLite/StoreTransaction.swift",
            "        if let id = after?.key.id, newKey != nil { try follow(current.key, to: id) }\n",
            "",
        ),
    ),
    mutation(
        "sqlite-newer-hint-forgotten",
        "the store on SQLite forgets a hint that was kept again during the request for its record",
        (
            "App/SelectiveSyncSQLite/PendingTable.swift",
            "DELETE FROM pending WHERE object = ?1 AND record = ?2 AND mark <= ?3",
            "DELETE FROM pending WHERE object = ?1 AND record = ?2 AND ?3 = ?3",
        ),
    ),
    mutation(
        "new-field-not-fetched",
        "an update of the app that adds a field does not fetch it for stored records",
        (
            "App/SelectiveSync/Scope/SyncScope.swift",
            "        guard Set(fields).isSubset(of: former.fields) else {",
            "        guard Set(fields).isSubset(of: former.fields + fields) else {",
        ),
    ),
    mutation(
        "filter-change-ignored",
        "a regular sync goes on with its mark after the filter has changed",
        (
            "App/SelectiveSync/Scope/SyncScope.swift",
            "        return filter == former.filter ? .nothing : .filter\n",
            "        return .nothing\n",
        ),
    ),
    mutation(
        "departed-stay",
        "records that leave the filter by a change stay",
        (
            "App/SelectiveSync/Sync/Regular/RecordSync+RegularSteps.swift",
            "            let listed = try pass.received(departures: page)\n",
            "            let listed = try pass.received(departures: page).filter { _ in false }\n",
        ),
    ),
    mutation(
        "new-record-deleted-unseen",
        "the deletion of a new record overwrites what somebody else has set in it",
        (
            "App/SelectiveSync/Edits/LocalRecord+Versions.swift",
            "let isNew = Stamps(base) == Stamps()",
            "let isNew = false",
        ),
    ),
    personalization(
        "open-with-another-id",
        "a notification that is opened again has another event id",
        (
            "Personalization/Client/PersonalizationClient+PushOpened.swift",
            "            moment.stamp.id = push.eventID\n",
            "            moment.stamp.id = moment.makeStamp().id\n",
        ),
    ),
    personalization(
        "impression-not-marked",
        "an impression that is queued does not count as seen",
        (
            "Personalization/Client/PersonalizationCore.swift",
            "mutating func queuedImpression(_ contentID: String) { session.mark(contentID) }",
            "mutating func queuedImpression(_ contentID: String) {}",
        ),
    ),
    personalization(
        "impressions-outlive-session",
        "a new session does not forget what was seen",
        (
            "Personalization/Session/SessionState.swift",
            "        self.id = id\n        impressions.removeAll()\n",
            "        self.id = id\n",
        ),
    ),
    personalization(
        "session-without-end",
        "the time in the background does not end a session",
        (
            "Personalization/Session/SessionState.swift",
            "now.milliseconds(since: since) >= max(1, timeout) else { return }",
            "now.milliseconds(since: since) >= 1_000 * max(1, timeout) else { return }",
        ),
    ),
    personalization(
        "session-kept-in-foreground",
        "a process that follows one killed in the foreground goes on with an earlier session",
        (
            "Personalization/Client/PersonalizationCore.swift",
            "            state.session = nil\n            isDirty = true\n        }\n        if configuration",
            "            isDirty = true\n        }\n        if configuration",
        ),
    ),
    personalization(
        "identity-overtakes",
        "identity events go first without holding the order",
        (
            "Personalization/Client/PersonalizationCore.swift",
            "purpose: configuration.purposes.identity, priority: .high, holdsOrder: true,",
            "purpose: configuration.purposes.identity, priority: .high, holdsOrder: false,",
        ),
    ),
    personalization(
        "order-not-held",
        "events pass one that holds the order",
        (
            "EventDelivery/Core/DeliveryLane.swift",
            "        if event.holdsOrder { segment += 1 }\n        let row",
            "        let row",
        ),
    ),
    personalization(
        "cache-outlives-user",
        "the cached replies of the former user stay after a log-in or log-out",
        (
            "Personalization/Decisions/Core/DecisionCore+People.swift",
            "let removed = isOther ? cache.removeAll() : cache.keepOnly(user: DecisionCache.Key.user(new))",
            "let removed = isOther ? 0 : cache.keepOnly(user: DecisionCache.Key.user(new))",
        ),
    ),
    personalization(
        "fetch-outlives-user",
        "a fetch goes on after somebody else has logged in",
        (
            "Personalization/Decisions/Core/DecisionCore+People.swift",
            "        var actions = dropFlights(.userChanged)\n",
            "        var actions: [Action] = []\n",
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
            "",
        ),
    ),
    personalization(
        "shown-without-consent",
        "cached decisions are shown without consent",
        (
            "Personalization/Decisions/Core/DecisionCore.swift",
            "        guard consent == .optedIn else { throw .consent }\n",
            "",
        ),
    ),
    personalization(
        "log-out-not-reported",
        "the service is not told of a log-out",
        (
            "Personalization/Client/PersonalizationCore.swift",
            "        if wasKnown { postProfile(at: moment) }\n",
            "        _ = wasKnown\n",
        ),
    ),
    personalization(
        "other-user-same-session",
        "a log-in as somebody else goes on with the session",
        (
            "Personalization/Client/PersonalizationCore.swift",
            "        if isOther { forgetPerson(at: moment) }\n",
            "        if isOther { state.generation += 1 }\n",
        ),
    ),
    personalization(
        "identity-not-repeated",
        "an identity that an opt-out withdrew is not reported after an opt-in",
        (
            "Personalization/Client/PersonalizationCore.swift",
            "        if !state.profile.isReported { postProfile(at: moment) }\n",
            "        _ = state.profile.isReported\n",
        ),
    ),
    personalization(
        "outbox-before-state",
        "events of a change are queued although the change is not stored",
        (
            "Personalization/Client/PersonalizationClient.swift",
            "        if let failure = store() { throw failure }\n        try await drain()\n",
            "        try await drain()\n",
        ),
        (
            "Personalization/Client/PersonalizationClient.swift",
            "        if loaded?.firstOfOutbox.isEmpty == false, let failure = store() { throw failure }\n",
            "",
        ),
    ),
    personalization(
        "outbox-emptied-first",
        "an event leaves the outbox before the queue has it",
        (
            "Personalization/Client/PersonalizationClient.swift",
            "                try await queue.capture(together: events.compactMap { $0.captured(to: configuration.destination) })\n"
            "                loaded?.queuedFirstOfOutbox()\n",
            "                loaded?.queuedFirstOfOutbox()\n"
            "                try await queue.capture(together: events.compactMap { $0.captured(to: configuration.destination) })\n",
        ),
    ),
    personalization(
        "sent-while-pending",
        "events are sent before the person has answered",
        (
            "EventDelivery/Core/DeliveryLane.swift",
            "if case .consent(let purpose) = gate { consent[purpose] == .optedIn } else { true }",
            "if case .consent(let purpose) = gate { consent[purpose] != .optedOut } else { true }",
        ),
    ),
    personalization(
        "opt-out-keeps-events",
        "an opt-out leaves the events in the queue",
        (
            "EventDelivery/Core/DeliveryCore.swift",
            "            return withdraw(.optedOut) { $0.gate.purpose == purpose }\n",
            "            return Settlement()\n",
        ),
    ),
    personalization(
        "withdrawn-while-sent",
        "an opt-out does not withdraw what is being sent",
        (
            "EventDelivery/Core/DeliveryCore.swift",
            "                lanes[lane].inFlight?.entries = []\n",
            "",
        ),
    ),
    personalization(
        "refusal-drops-batch",
        "a refused batch is dropped instead of halved",
        (
            "EventDelivery/Core/DeliveryCore+Sending.swift",
            "            if lanes[lane].halve(flight.entries.count) {\n",
            "            if lanes[lane].halve(1) {\n",
        ),
    ),
    personalization(
        "failure-is-delivery",
        "a failure of the service counts as delivery",
        (
            "EventDelivery/Policy/AnswerRules.swift",
            "            (200...299, .delivered), (400...400",
            "            (200...299, .delivered), (500...599, .delivered), (400...400",
        ),
    ),
    personalization(
        "failed-batch-lost",
        "the events of a failed request are not put back",
        (
            "EventDelivery/Core/DeliveryCore+Sending.swift",
            "        lanes[lane].putBack(flight.entries)\n        let (wait, circuit)",
            "        let (wait, circuit)",
        ),
    ),
    personalization(
        "ledger-not-stored",
        "the ledger is not stored together with the removal of events",
        (
            "EventDelivery/Queue/EventQueue+Store.swift",
            "        changes.remove = settlement.ended\n        changes.state = encode(core.state)\n        changes.erases",
            "        changes.remove = settlement.ended\n        changes.erases",
        ),
    ),
    personalization(
        "consent-not-stored",
        "an answer is not stored",
        (
            "EventDelivery/Queue/EventQueue+Consent.swift",
            "        changes.state = encode(core.state)\n        changes.erases = state == .optedOut\n",
            "        changes.erases = state == .optedOut\n",
        ),
    ),
    optimization(
        "optimization-consent-not-asked",
        "every event is admitted, whatever the person has answered",
        (
            "Client/OptimizationCore.swift",
            "func admits(_ type: String) -> Bool { consent == true || isAlwaysAllowed(type) }",
            "func admits(_ type: String) -> Bool { true }",
        ),
        (
            "Client/OptimizationCore.swift",
            "            purpose: isAlwaysAllowed(event.type) ? nil : OptimizationCore.purpose, group: group, body: json.compactBytes\n",
            "            purpose: nil, group: group, body: json.compactBytes\n",
        ),
    ),
    optimization(
        "optimization-withdrawal-keeps-events",
        "events in the queues outlive the answer no",
        (
            "Client/OptimizationCore.swift",
            "            purpose: isAlwaysAllowed(event.type) ? nil : OptimizationCore.purpose, group: group, body: json.compactBytes\n",
            "            purpose: nil, group: group, body: json.compactBytes\n",
        ),
    ),
    optimization(
        "optimization-answer-not-stored",
        "the next process does not know the person's answer",
        (
            "Client/OptimizationCore.swift",
            '        keep(OptimizationStorageKey.consent, events ? "accepted" : "denied")\n',
            "",
        ),
    ),
    optimization(
        "optimization-start-values-win",
        "a start value replaces the person's answer",
        (
            "Client/OptimizationCore.swift",
            "let wins = configuration.generation == .later",
            "let wins = true",
        ),
    ),
    optimization(
        "optimization-answer-not-true-in-events",
        "events say that there is consent where there is none",
        (
            "Client/OptimizationCore.swift",
            "isConsentGiven: consent == true, locale",
            "isConsentGiven: consent != false, locale",
        ),
    ),
    optimization(
        "optimization-unstored-values-forgotten",
        "values that could not be stored are not stored later",
        (
            "Client/OptimizationClient.swift",
            "                core?.putBack(values)\n",
            "",
        ),
        (
            "Client/OptimizationCore.swift",
            "        consent = events\n",
            "        if consent == events { return }\n        consent = events\n",
        ),
    ),
    optimization(
        "optimization-reset-keeps-profile-id",
        "events of the next person go to the former one's profile",
        (
            "Client/OptimizationCore.swift",
            "(profile, selections, changes, anonymousID) = (nil, nil, nil, nil)",
            "(profile, selections, changes) = (nil, nil, nil)",
        ),
    ),
    optimization(
        "optimization-former-events-to-the-next-person",
        "events before a reset go to the profile after it",
        (
            "Client/OptimizationCore.swift",
            "guard let group, group != people.current else { return anonymousID ?? profile?.id }\n        return people.profileID(of: group)\n",
            "return anonymousID ?? profile?.id\n",
        ),
    ),
    optimization(
        "optimization-people-in-one-request",
        "a request has events of several people",
        (
            "Configuration/OptimizationConfiguration.swift",
            "        policy.batch.mixesGroups = false\n",
            "",
        ),
    ),
    optimization(
        "optimization-late-reply-believed",
        "a reply about the former person changes what the next one sees",
        (
            "Client/OptimizationCore.swift",
            "        if let group, group != people.current {\n            people.learned(",
            "        if let group, group != people.current, selections != nil {\n            people.learned(",
        ),
    ),
    optimization(
        "optimization-locked-follows",
        "a locked entry changes under its reader",
        (
            "Tracking/SelectionLock.swift",
            "        if kept == nil { kept = current }\n",
            "        kept = current ?? kept\n",
        ),
    ),
    optimization(
        "optimization-locked-forgets-the-panel",
        "a locked entry shows what it had before the panel",
        (
            "Tracking/SelectionLock.swift",
            "            kept = current ?? kept\n            return current\n",
            "            return current\n",
        ),
        (
            "Tracking/SelectionLock.swift",
            "        if wasPanelOpen, let current { kept = current }\n",
            "",
        ),
    ),
    optimization(
        "optimization-preview-reported",
        "views of what the panel has chosen are reported",
        (
            "Tracking/TrackedEntry.swift",
            "guard let id = baseline.id, resolution.selection?.isPreview != true else { return nil }",
            "guard let id = baseline.id else { return nil }",
        ),
    ),
    optimization(
        "optimization-reply-ends-preview",
        "a reply removes the overrides",
        (
            "Client/OptimizationCore.swift",
            "        selections = reply.selections\n",
            "        selections = reply.selections\n        overrides.resetAll()\n",
        ),
    ),
    optimization(
        "optimization-preview-stored",
        "overrides are stored as the service's selections",
        (
            "Client/OptimizationCore.swift",
            "keep(OptimizationStorageKey.personalizations, text(selections.map",
            "keep(OptimizationStorageKey.personalizations, text(shownSelections.map",
        ),
    ),
    optimization(
        "optimization-failure-is-delivery",
        "events of a refused request count as delivered",
        (
            "Configuration/OptimizationConfiguration.swift",
            "(200...299, .delivered), (503...503",
            "(200...500, .delivered), (503...503",
        ),
    ),
    optimization(
        "optimization-drops-are-silent",
        "events that the queue drops are not reported",
        (
            "Client/OptimizationClient.swift",
            "                report(.queue(event))\n",
            "                if case .dropped = event { return }\n                report(.queue(event))\n",
        ),
    ),
    optimization(
        "optimization-view-goes-on-in-background",
        "the time in the background counts as seen",
        (
            "Tracking/ViewTracking.swift",
            "        guard rules.isVisible(ratio) else { return ended(at: now) }\n",
            "        guard rules.isVisible(ratio) else {\n            view = nil\n            return [Report(viewID: makeID(), durationMilliseconds: 0)]\n        }\n",
        ),
    ),
]
