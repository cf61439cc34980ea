import EventDelivery
import Personalization

/// What a device may do, and what it has done: checked at every step, and at the end against what the service has.
///
/// @unchecked: only the thread of the simulation uses it.
final class ShopAudit: @unchecked Sendable {
    unowned let device: ShopDevice
    var run: ShopRun { device.run }
    let purposes: PersonalizationPurposes
    /// Who uses the app; nil for an anonymous person.
    private(set) var user = Possible<String?>(nil)
    private(set) var answers: [ConsentPurpose: Possible<ConsentState>] = [:]
    private(set) var sessions: SessionModel
    private(set) var calls: [ShopCall] = []
    /// By marker.
    private(set) var allCalls: [String: ShopCall] = [:]
    /// What was sent to the device: ids, and the markers of their open events.
    var notifications: [(id: String, marker: String)] = []
    private(set) var lastUserChange = 0
    private var process = 0
    /// Changes of user and phase whose calls have not returned. A log-in can return before the change of phase that it came after.
    private var sessionChanges = 0
    private var isChangingSession: Bool { sessionChanges > 0 }
    /// When the phase of the app was last changed.
    private var phaseBegan: Int64 = 0
    /// Whether the last process has stored all changes of its session.
    private var isEndCertain = true
    /// When an opt-out of a purpose was begun last.
    private var optOuts: [ConsentPurpose: Int] = [:]

    private(set) var events: [EventID: KeptEvent] = [:]
    private(set) var order: [EventID] = []
    private var ids: [Int64: EventID] = [:]
    private(set) var stored = 0
    /// Events that the service has refused by themselves.
    private(set) var refused: Set<EventID> = []
    /// How many records of answers were dropped before they were stored.
    private(set) var unstoredRecords = 0
    /// Who the service takes for the user when it has all events so far.
    private var reportedUser: Reported = .user(nil)
    /// The last failure of a store.
    private(set) var lastFailure = 0
    /// When the queue's store was changed last.
    private var lastCommit = 0
    /// What the last change has removed, until the queue reports why.
    private var unreported: [EventID] = []

    /// Whether the store may still have events that have ended: they are removed with the next change, or are sent again by the
    /// next process, with the same id.
    var mayHaveEnded: Bool { lastFailure > lastCommit }

    private enum Reported: Equatable { case user(String?), unknown }

    init(_ device: ShopDevice) {
        self.device = device
        purposes = device.configuration.purposes
        sessions = SessionModel(timeout: device.configuration.sessionTimeoutMilliseconds)
        for purpose in purposes.all { answers[purpose] = Possible(.pending) }
    }

    /// Whether the queue is never full.
    var hasSpace: Bool { run.settings.maximumEvents > 1_000 }

    /// Whether an identity event may be missing because the queue had no space.
    private(set) var hasLostIdentity = false

    var now: Int64 { device.run.timeline.now }

    func violation(_ text: String) { run.reportViolation("\(device.name) \(text)") }

    func answer(_ purpose: ConsentPurpose) -> Set<ConsentState> { answers[purpose]?.during(now) ?? [] }

    func storeFailed() { lastFailure = run.nextNumber() }

    // The process.

    func processStarted() {
        process = run.nextNumber()
        sessions.processStarted(isCertain: isEndCertain)
    }

    func killed() {
        user.killed(at: now)
        for purpose in purposes.all {
            answers[purpose]?.killed(at: now)
            if answers[purpose]?.values.contains(.optedOut) == true { optOuts[purpose] = run.nextNumber() }
        }
        calls = []
        forgetUnreported()
        isEndCertain = !isChangingSession && lastFailure < process
        sessionChanges = 0
    }

    // Calls.

    func begin(_ name: String, marker: String) -> ShopCall {
        sessions.checkTime(at: now)
        let call = ShopCall(
            name, marker: marker, began: run.nextNumber(), users: user.values,
            answers: answers[purposes.events]?.values ?? [], session: sessions.number, isSteady: !isChangingSession)
        calls.append(call)
        allCalls[marker] = call
        run.trace("\(device.name): \(name) \(marker)")
        return call
    }

    func beginAgain(_ call: ShopCall) -> ShopCall {
        calls.append(call)
        call.users.formUnion(user.values)
        call.answers.formUnion(answers[purposes.events]?.values ?? [])
        call.isSteady = false
        return call
    }

    func endAgain(_ call: ShopCall) {
        if let index = calls.firstIndex(where: { $0 === call }) { calls.remove(at: index) }
    }

    /// - Parameter isKept: Whether there is an event, which has to arrive.
    func end(_ call: ShopCall, isKept: Bool) {
        endAgain(call)
        guard isKept else { return checkSeen(call) }
        call.isKept = true
        if call.answers == [.optedOut] { violation("keeps \(call.name) \(call.marker) after an opt-out") }
        guard !isStored(call) else { return }
        if hasSpace, optOut(of: purposes.events) < call.began {
            violation("says that \(call.name) \(call.marker) is kept, but it is not stored")
        }
        call.isKept = false
    }

    func fail(_ call: ShopCall, _ error: PersonalizationError) {
        endAgain(call)
        run.trace("\(device.name): \(call.name) \(call.marker) fails with \(error.code)")
        switch error.code {
        case .consent:
            let isKeeping = run.settings.whilePending == .keep && !call.answers.contains(.optedOut)
            if call.answers == [.optedIn] || isKeeping {
                violation("refuses \(call.name) \(call.marker) although it has consent")
            }
        case .storage:
            if lastFailure < call.began, call.began > 0, !hasPendingFailure {
                violation("cannot store \(call.name) \(call.marker), although its store works")
            }
        case .notKept: hasNoSpace(for: "\(call.name) \(call.marker)")
        default: violation("refuses \(call.name) \(call.marker): \(error)")
        }
    }

    /// An impression counts as seen if an earlier one of its session has an event.
    private func checkSeen(_ call: ShopCall) {
        guard let content = call.content, call.isSteady, sessions.isSure, call.session == sessions.number else {
            return
        }
        let others = allCalls.values.filter { $0 !== call && $0.content == content }
        // A call during which a session began may have its event in either.
        if others.contains(where: { !$0.isSteady || sessions.canBeSame($0.session, as: call.session) }) { return }
        violation("takes \(call.name) \(call.marker) of \(content) for one that was seen")
    }

    private var hasPendingFailure: Bool { device.isFull }

    /// Whether the event of the call outlives the process.
    private func isStored(_ call: ShopCall) -> Bool {
        events.values.contains { $0.call === call }
            || device.state.map { String(decoding: $0, as: UTF8.self).contains(call.marker) } ?? false
    }

    // The user.

    func beginUser(_ new: String?) {
        lastUserChange = run.nextNumber()
        user.begin(new, at: now)
        sessionChanges += 1
        for call in calls {
            call.users.insert(new)
            call.isSteady = false
        }
    }

    func endUser(_ new: String?, isStored: Bool, isLogOut: Bool) {
        lastUserChange = run.nextNumber()
        let former = user.values
        user.end(new, isStored: isStored, at: now)
        sessionChanges -= 1
        let others = former.subtracting([new])
        // A log-in of an anonymous person goes on with the session.
        let isSurelyOther = isLogOut || (former.count == 2 && others.count == 1 && others.first != .some(nil))
        let isSurelySame = !isLogOut && (others.isEmpty || former.count == 2 && others == [nil])
        if !isSurelySame { sessions.userChanged(isSurelyOther: isSurelyOther) }
        for call in calls { call.isSteady = false }
    }

    func foundUser(_ found: String?) {
        let expected = user.values
        if !user.found(found, at: now) { violation("starts with the user \(text(found)), not \(text(expected))") }
    }

    func text(_ user: String?) -> String { user ?? "nobody" }

    func text(_ users: Set<String?>) -> String { users.map { text($0) }.sorted().joined(separator: " or ") }

    // Life cycle.

    func beginLifeCycle() {
        phaseBegan = now
        sessionChanges += 1
        for call in calls { call.isSteady = false }
    }

    func endLifeCycle(isActive: Bool) {
        sessionChanges -= 1
        if isActive { sessions.becameActive(at: phaseBegan) } else { sessions.enteredBackground(at: phaseBegan) }
        for call in calls { call.isSteady = false }
    }

    // Answers.

    func beginAnswer(_ new: ConsentState, for purpose: ConsentPurpose) {
        answers[purpose]?.begin(new, at: now)
        if new == .optedOut { optOuts[purpose] = run.nextNumber() }
        if purpose == purposes.events { for call in calls { call.answers.insert(new) } }
        checkBlocked()
    }

    func endAnswer(_ new: ConsentState, for purpose: ConsentPurpose, isStored: Bool) {
        answers[purpose]?.end(new, isStored: isStored, at: now)
        if !isStored, purpose == purposes.identity { reportedUser = .unknown }
        // What was stored while the answer was under way ends with it.
        if new == .optedOut { optOuts[purpose] = run.nextNumber() }
        checkBlocked()
    }

    func foundAnswer(_ found: ConsentState, for purpose: ConsentPurpose) {
        let expected = answers[purpose]?.values ?? []
        if answers[purpose]?.found(found, at: now) == false {
            let words = expected.map(\.rawValue).sorted().joined(separator: " or ")
            violation("starts with the answer \(found.rawValue) about \(purpose), not \(words)")
        }
        checkBlocked()
    }

    private func checkBlocked() {
        for id in order where events[id]?.wasBlocked == false {
            if let purpose = events[id]?.purpose, answers[purpose]?.values != [.optedIn] {
                events[id]?.wasBlocked = true
            }
        }
        if !isReportingIdentity { reportedUser = .unknown }
    }

    /// Whether identity events are surely kept.
    private var isReportingIdentity: Bool {
        let possible = answer(purposes.identity)
        if possible == [.optedIn] { return true }
        return !possible.contains(.optedOut) && run.settings.whilePending == .keep
    }

    /// When the opt-out began that may have ended an event.
    func optOut(of purpose: ConsentPurpose) -> Int { optOuts[purpose] ?? 0 }

    /// An event of the library is not kept, as its report says.
    func notKept(_ kind: String) { if kind == "identity" { reportedUser = .unknown } }

    // The queue.

    func committed(_ changes: StoreChanges, isKilled: Bool) {
        lastCommit = run.nextNumber()
        for event in changes.append { append(event) }
        unreported = changes.remove.compactMap { ids[$0] }
        for sequence in changes.remove { if let id = ids[sequence] { events[id]?.sequences.remove(sequence) } }
        if isKilled { forgetUnreported() }
    }

    /// Nobody learns of what the last call has removed if the process ends before it is reported.
    private func forgetUnreported() {
        for id in unreported { events[id]?.hasVanished = true }
        unreported = []
    }

    private func append(_ event: StoredEvent) {
        stored += 1
        ids[event.sequence] = event.event.id
        run.trace("\(device.name) stores \(event.event.kind) \(event.event.id)")
        run.count(.eventStored)
        if events[event.event.id] != nil {
            run.count(.eventStoredTwice)
            events[event.event.id]?.sequences.insert(event.sequence)
            events[event.event.id]?.copies += 1
            return
        }
        let text = EventText(event.event.body)
        let call = text.marker.flatMap { allCalls[$0] }
        let purpose = event.event.purpose
        if let purpose, !event.isRecord, answer(purpose) == [.optedOut] {
            violation("stores \(event.event.kind) of \(purpose) after an opt-out")
        }
        if let call, events.values.contains(where: { $0.call === call }) {
            violation("stores \(call.name) \(call.marker) twice with different ids")
        }
        events[event.event.id] = KeptEvent(
            id: event.event.id, stored: run.nextNumber(), kind: event.event.kind, purpose: purpose,
            isRecord: event.isRecord, call: call, sequences: [event.sequence],
            wasBlocked: purpose.map { answers[$0]?.values != [.optedIn] } ?? false)
        order.append(event.event.id)
        if event.event.kind == "identity" {
            reportedUser = .user(text["isAnonymous"] == "0" ? text["userId"] : nil)
        } else if let call {
            // The app passes a bad event to the queue by itself, so it does not wait behind what the library has to report.
            if !call.isBad { checkUser(call) }
            if call.isSteady, let session = text["sessionId"], let wrong = sessions.note(session, in: call.session) {
                violation("\(call.name) \(call.marker): \(wrong)")
            }
        }
    }

    private func checkUser(_ call: ShopCall) {
        guard case .user(let reported) = reportedUser, isReportingIdentity else { return }
        guard !call.users.contains(reported) else { return }
        violation("reports \(call.name) \(call.marker) of \(text(call.users)) as one of \(text(reported))")
    }

    func reported(_ report: QueueReport) {
        switch report {
        case .dropped, .delivered: unreported = []
        default: break
        }
        switch report {
        case .dropped(let dropped): for event in dropped { drop(event) }
        case .storeRecovered: violation("says that its store was damaged")
        case .delivered(_, let count): run.count(.eventDelivered, count)
        case .circuitOpened: run.count(.circuitOpened)
        case .failed, .storeFailed: break
        }
    }

    private func drop(_ event: DroppedEvent) {
        run.count(.eventDropped)
        run.trace("\(device.name) drops \(event.kind) \(event.id): \(event.reason)")
        guard let kept = events[event.id] else {
            if event.kind != "consentLog" { violation("drops \(event.kind), which was never stored") }
            unstoredRecords += 1
            return
        }
        // A drop that could not be stored is reported again by the next process.
        let drops = kept.droppedBy == process ? kept.drops + 1 : 1
        if drops > kept.copies { violation("reports \(event.kind) \(event.id) twice as dropped") }
        if event.kind == "identity" { hasLostIdentity = true }
        events[event.id]?.drop = event
        events[event.id]?.drops = drops
        events[event.id]?.droppedBy = process
    }

    func hasIdentity(_ batch: [EventID]) -> Bool { batch.contains { events[$0]?.kind == "identity" } }

    /// The service refused a request with this event alone. It may not be stored yet, if it is the record of an answer.
    func refusedAlone(_ id: EventID) { refused.insert(id) }

    // The network.

    func sends(_ batch: [CapturedEvent]) {
        run.trace("\(device.name) sends \(batch.map { "\($0.kind) \($0.id)" }.joined(separator: ", "))")
        for event in batch {
            guard let kept = events[event.id] else {
                // Answers hold although the store fails.
                if event.kind != "consentLog" { violation("sends \(event.kind), which was never stored") }
                continue
            }
            if kept.sequences.isEmpty, !kept.isRecord { violation("sends \(event.kind) \(event.id), which has ended") }
            guard let purpose = kept.purpose, !kept.isRecord, !answer(purpose).contains(.optedIn) else { continue }
            violation("sends \(event.kind) \(event.id) without consent about \(purpose)")
        }
    }

    /// A decision request goes out.
    func asks() {
        if !answer(purposes.decisions).contains(.optedIn) { violation("asks for decisions without consent") }
    }

    // Decisions.

    func shows(_ result: FetchedDecisions) {
        for part in result.parts where part.source != .default {
            if !answer(purposes.decisions).contains(.optedIn) { violation("shows decisions without consent") }
            if part.source == .cache { run.count(.cachedShown) } else { run.count(.freshShown) }
            for decision in part.decisions {
                guard let owner = decision.attributes[ShopService.owner], owner != ShopService.nobody else { continue }
                let users = user.during(now)
                // Where a clock jumps, the service takes an earlier user for the later one.
                if !users.contains(owner), !hasLostIdentity, !run.settings.clocksJump {
                    violation("shows \(text(users)) the content of \(owner) from the \(part.source.rawValue)")
                }
            }
        }
    }

    /// The cache is stored.
    func savesReplies(_ bytes: [UInt8]) {
        // As above: a log-out with an earlier time than the log-in before it does not count at the service.
        guard !run.settings.clocksJump else { return }
        let stored = String(decoding: bytes, as: UTF8.self)
        for other in run.userNames where !user.during(now).contains(other) {
            if stored.contains("\"\(ShopService.owner)\":\"\(other)\"") { violation("stores replies for \(other)") }
        }
    }
}
