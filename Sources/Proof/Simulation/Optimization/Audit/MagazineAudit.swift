import EventDelivery
import Optimization
import OptimizationSimulator
import PushDispatch

/// Knows what the library of a device may send and show, from what its app has called and what was stored.
///
/// @unchecked: only the main queue uses it, or the thread of the simulation while the queue is idle.
final class MagazineAudit: @unchecked Sendable {
    // What only the panel chooses.
    static let previewExperience = "exp-preview"
    static let previewIndex = 77

    private unowned let device: MagazineDevice
    private var run: MagazineRun { device.run }
    private(set) var calls: [String: MagazineCall] = [:]
    private var events: [String: MagazineEvent] = [:]
    /// In the order in which they were stored.
    private var order: [String] = []
    /// The ids of the events that the store has, by their numbers there.
    private var stored: [Int64: String] = [:]
    /// The person's answer.
    private(set) var answer: Possible<Bool?>
    /// Failures of the stores.
    private var failures = 0
    private var failuresBeforeAnswer = 0
    /// Counts people, from 1.
    private(set) var person = 1
    /// Whether a reset may be lost, so that it is not known whose events are whose.
    private(set) var hasLostReset = false
    private var isResetUnstored = false
    /// The experiences for which the panel shows ``previewIndex``.
    var overridden: Set<String> = []

    init(_ device: MagazineDevice) {
        self.device = device
        answer = Possible(device.run.settings.startConsent)
    }

    private var now: Int64 { run.timeline.now }

    /// An id for the person of now, which nobody else has.
    var userID: String { "\(device.name)-\(person)" }

    func violation(_ text: String) { run.reportViolation("\(device.name) \(text)") }

    // MARK: The process

    func killed() {
        answer.killed(at: now)
        overridden = []
        if isResetUnstored { hasLostReset = true }
        if run.settings.storesEvents {
            // Killed after the commit and before the report: what has not arrived was dropped. The counts that the same commit has
            // stored say so.
            for id in order where events[id]?.removed == now { events[id]?.isDropped = true }
            undoUnstoredDrops()
        } else {
            for id in order { events[id]?.isLost = true }
        }
    }

    /// The next client finds what is stored, as the next process does.
    func destroyed() {
        answer.killed(at: now)
        overridden = []
        undoUnstoredDrops()
    }

    /// Events whose removal the store has not taken are there again for the next process, which sends or drops them. The
    /// library has reported that its store fails.
    private func undoUnstoredDrops() {
        for id in order where events[id]?.removed == nil { events[id]?.isDropped = false }
    }

    func storeFailed() { failures += 1 }

    /// The library says at the start of a process what the person has answered.
    func found(_ value: Bool?) {
        if !answer.found(value, at: now) {
            violation("finds the answer \(value.map { "\($0)" } ?? "none"), which was not the last one")
        }
    }

    // MARK: Answers and people

    func beginAnswer(_ value: Bool) {
        failuresBeforeAnswer = failures
        answer.begin(value, at: now)
    }

    func endAnswer(_ value: Bool) {
        answer.end(value, isStored: failures == failuresBeforeAnswer, at: now)
    }

    /// - Parameter reset: Returns whether the process still runs.
    func reset(_ reset: () -> Bool) {
        let before = failures
        person += 1
        isResetUnstored = true
        // What failed is stored with a later change, or not at all.
        if !reset() || failures > before { hasLostReset = true } else { isResetUnstored = false }
    }

    // MARK: Calls

    /// - Parameter answer: The library's word; it decides by it at this moment.
    func begin(_ type: String, marker: String, _ answer: Bool?) -> MagazineCall {
        if !self.answer.during(now).contains(answer) {
            violation("says that the answer is \(answer.map { "\($0)" } ?? "none")")
        }
        let call = MagazineCall(type, marker: marker, person: person, answer: answer)
        calls[marker] = call
        return call
    }

    func end(_ call: MagazineCall, _ outcome: EventOutcome) {
        let mayBeSent = call.answer == true || MagazineAudit.isAlwaysAllowed(call.type)
        switch outcome {
        case .queued:
            call.state = .queued
            if !mayBeSent { violation("takes \(call.marker) (\(call.type)) without consent") }
            let queues = Set(order.compactMap { events[$0] }.filter { $0.marker == call.marker }.map(\.queue))
            if call.isForProfile && !queues.contains(.profile)
                || call.isForAnalytics && !queues.contains(.analytics) && !call.isForProfile
            {
                violation("says that \(call.marker) (\(call.type)) is queued, and has not stored it")
            }
        case .blocked:
            call.state = .refused
            run.count(.eventBlocked)
            // The answer may have been taken back while the event was on its way into the queue.
            if mayBeSent, !answer.during(now).contains(false), !answer.during(now).contains(nil) {
                violation("blocks \(call.marker) (\(call.type)) in spite of consent")
            }
        case .withoutProfile:
            call.state = .refused
            call.isWithoutProfile = true
            run.count(.withoutProfile)
        }
    }

    func fail(_ call: MagazineCall, _ error: OptimizationError) {
        // A part of a sticky view may be stored.
        if call.isForProfile != call.isForAnalytics { call.state = .refused }
        // What is being sent makes no space for others.
        let isFull = error.code == .notKept && call.isForProfile && order.count >= 100
        if error.code != .storage, error.code != .notInitialized, !isFull {
            violation("fails to take \(call.marker) (\(call.type)): \(error)")
        }
    }

    static func isAlwaysAllowed(_ type: String) -> Bool { ["identify", "screen"].contains(type) }

    // MARK: Queues

    /// The library has stored a change.
    func committed(_ changes: StoreChanges) {
        for id in changes.remove.compactMap({ stored.removeValue(forKey: $0) }) {
            events[id]?.removed = now
            run.trace("\(device.name) removes \(events[id]?.name ?? id) from its store")
        }
        for (sequence, captured) in changes.append.map({ ($0.sequence, $0.event) }) {
            let marked = MagazineEvent.json(captured.body)?.object.flatMap(MagazineEvent.marker)
            let call = marked.flatMap { calls[$0] }
            guard let event = MagazineEvent(captured, person: call?.person ?? person) else {
                violation("stores an event that is not JSON")
                continue
            }
            run.count(.eventStored)
            events[event.id] = event
            order.append(event.id)
            stored[sequence] = event.id
            run.trace("\(device.name) stores \(event.name)")
            if let call, event.isConsentGiven != (call.answer == true) {
                violation("says in \(call.marker) that consent is \(event.isConsentGiven.map { "\($0)" } ?? "none")")
            }
        }
    }

    func reported(_ report: OptimizationReport) {
        switch report {
        case .queue(.dropped(let dropped)):
            run.count(.eventDropped, dropped.count)
            for event in dropped {
                let id = "\(event.id)".lowercased()
                events[id]?.isDropped = true
                events[id]?.mayHaveArrived = event.mayHaveArrived
                switch event.reason {
                case .optedOut:
                    if !answer.during(now).contains(false) { violation("drops events of a person who agrees") }
                case .queueFull: break
                default: violation("drops an event of type \(event.kind): \(event.reason)")
                }
            }
        default: break
        }
    }

    /// The body of a request leaves the device.
    func sends(_ body: [UInt8], _ queue: ProfileEventLog.Queue) {
        let text = String(decoding: body, as: UTF8.self)
        if text.contains(MagazineAudit.previewExperience)
            || text.contains("\"variantIndex\":\(MagazineAudit.previewIndex)")
        {
            violation("sends what only the preview panel has chosen")
        }
        guard let json = MagazineEvent.json(body) else { return violation("sends a request that is not JSON") }
        let sent =
            json.object?["events"]?.array ?? (json.array ?? []).flatMap { $0.object?["events"]?.array ?? [] }
        for members in sent.compactMap(\.object) {
            let id = members["messageId"]?.string?.lowercased() ?? ""
            let type = members["type"]?.string ?? ""
            guard events[id]?.queue == queue else {
                violation("sends an event of type \(type) that it has not stored for the \(queue) queue")
                continue
            }
            events[id]?.requests += 1
            if events[id]?.isDropped == true, events[id]?.mayHaveArrived == false {
                violation("sends an event of type \(type) that it has dropped")
            }
            if !MagazineAudit.isAlwaysAllowed(type), !answer.during(now).contains(true) {
                violation("sends an event of type \(type) without consent")
            }
        }
    }

    /// The person whose action an event reports; nil for an event of another device, and for events of views.
    func person(ofEvent id: String?) -> Int? {
        guard let event = id.flatMap({ events[$0] }), event.marker != nil else { return nil }
        return event.person
    }

    // MARK: What is shown

    /// The selections are those that the service gives this profile always, with the overrides over them.
    func checkSelections(_ shown: [ExperienceSelection], _ profile: OptimizationProfile?) {
        for experience in overridden
        where !shown.contains(where: { $0.experienceID == experience && $0.variantIndex == MagazineAudit.previewIndex })
        {
            violation("has forgotten the override of \(experience)")
        }
        guard let profile else { return }
        for selection in shown where selection.experienceID != MagazineAudit.previewExperience {
            guard !overridden.contains(selection.experienceID) else { continue }
            let given = run.service.variant(of: selection.experienceID, profile.stableID)
            if given != selection.variantIndex {
                violation(
                    "shows profile \(profile.id) variant \(selection.variantIndex) of \(selection.experienceID), which got "
                        + "\(given.map(String.init) ?? "none")")
            }
        }
    }

    // MARK: The end

    /// Everything was sent: what was taken has arrived, once.
    func checkEnd(_ received: [ProfileEventLog.Entry]) {
        var arrived: [String: Int] = [:]
        for entry in received {
            arrived["\(entry.queue.rawValue) \(entry.event.messageID ?? "")", default: 0] += 1
        }
        var ids: [String: Set<String>] = [:]
        for id in order {
            guard let event = events[id] else { continue }
            let count = arrived["\(event.queue.rawValue) \(id)"] ?? 0
            if count > 1 { violation("has an event of type \(event.type) counted \(count) times") }
            if count == 0, !event.isDropped, !event.isLost {
                violation("has lost an event of type \(event.name)")
            }
            if let marker = event.marker {
                ids["\(event.queue.rawValue) \(marker)", default: []].insert(id)
                if count > 0, calls[marker]?.state == .refused {
                    violation("has sent \(marker) (\(event.type)), which it had refused")
                }
            }
        }
        for (marker, ids) in ids where ids.count > 1 { violation("has \(ids.count) events for \(marker)") }
        checkViews()
    }

    /// A view: nothing under two seconds, then an event each five seconds, and a last one. Some may have been blocked.
    private func checkViews() {
        var views: [String: [Int64]] = [:]
        for id in order {
            guard let event = events[id], event.queue == .analytics, event.marker == nil, let view = event.viewID,
                let duration = event.duration
            else { continue }
            views[view, default: []].append(duration)
        }
        for (view, durations) in views.sorted(by: { $0.key < $1.key }) {
            let isInTime = durations.dropLast().allSatisfy { $0 % 5_000 == 2_000 }
            if !isInTime || durations != durations.sorted() || durations.contains(where: { $0 < 2_000 }) {
                violation("reports the view \(view) with \(durations) ms")
            }
        }
    }
}
