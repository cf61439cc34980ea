import EventDelivery
import PushDispatch

/// Decides what is reported: identity, sessions, impressions, behaviour. It does no I/O; times and ids are passed in.
///
/// Events that belong to a change of the state go into the state's outbox, so that both are stored together.
struct PersonalizationCore: Sendable {
    /// When something happens: on the monotonic clock, and the source of ids and of the time of day.
    struct Moment {
        var clock: DispatchMoment
        var stamp: EventStamp
        var makeStamp: () -> EventStamp
        /// A new id of a session or a device.
        var makeID: () -> String
    }

    /// The most events that wait for the queue, and the most UTF-8 bytes of their bodies. As JSON in the file of the state a
    /// body takes at most twice as much.
    static let maximumOutbox = 500
    static let maximumOutboxBytes = 1 << 20

    let configuration: PersonalizationConfiguration
    private(set) var state: PersonalizationState
    private(set) var session: SessionState
    var location: GeoLocation?
    /// Whether the state differs from what is stored.
    var isDirty = false
    /// Which identity event the service may not have yet; nil if it has all.
    private(set) var awaitedIdentity: Int?
    private var identityEvents = 0

    /// - Parameter stored: What an earlier process has kept; nil for a new installation.
    init(_ stored: PersonalizationState?, _ configuration: PersonalizationConfiguration, at moment: Moment) {
        self.configuration = configuration
        state = stored ?? PersonalizationState(deviceID: moment.makeID())
        isDirty = stored == nil
        if let kept = state.session,
            kept.isAlive(at: moment.stamp.time, timeout: configuration.sessionTimeoutMilliseconds)
        {
            // What is left of the time in the background.
            let elapsed = max(0, moment.stamp.time.milliseconds - kept.backgroundMilliseconds)
            session = SessionState(
                kept, maximumImpressions: configuration.maximumImpressions,
                since: moment.clock.advanced(byMilliseconds: -elapsed))
        } else {
            session = SessionState(
                id: moment.makeID(), maximumImpressions: configuration.maximumImpressions, at: moment.clock)
            // It stays over, also if the clock goes back before the next process starts.
            if state.session != nil {
                state.session = nil
                isDirty = true
            }
        }
        let profile = state.profile
        awaitedIdentity = profile.isKnown || profile.mayBeTakenForFormer || !profile.isReported ? 0 : nil
    }

    var identity: IdentitySnapshot {
        IdentitySnapshot(
            deviceID: state.deviceID, userID: state.profile.userID ?? state.profile.attributes["email"],
            dataSpace: configuration.dataSpace, generation: state.generation)
    }

    var installationID: String { state.installationID }

    mutating func sessionID(at moment: Moment) -> String { header(at: moment).sessionID }

    private mutating func header(at moment: Moment) -> EventHeader {
        session.renew(
            at: moment.clock, timeout: configuration.sessionTimeoutMilliseconds, makeID: moment.makeID)
        return EventHeader(
            stamp: moment.stamp, deviceID: state.deviceID, sessionID: session.id, location: location)
    }

    // Events of the app.

    /// The event for the queue, and the ones that belong to it.
    mutating func outgoing(
        _ event: AppEvent, priority: EventPriority = .normal, at moment: Moment
    ) -> [OutgoingEvent] {
        let header = header(at: moment)
        return event.outgoing(
            header, purpose: configuration.purposes.events, priority: priority, makeStamp: moment.makeStamp)
    }

    /// An impression of this content.
    mutating func checkImpression(_ contentID: String, at moment: Moment) -> ImpressionSet.Check {
        _ = header(at: moment)
        return session.impressions.check(contentID)
    }

    /// The event of an impression is in the queue.
    mutating func queuedImpression(_ contentID: String) { session.mark(contentID) }

    /// An impression in the background is not in the stored session, so the next process starts a new one.
    ///
    /// - Returns: Whether there was one, so that the state has to be stored first.
    mutating func endStoredSession() -> Bool {
        guard state.session != nil else { return false }
        state.session = nil
        isDirty = true
        return true
    }

    // Life cycle.

    /// The process has started.
    mutating func started(at moment: Moment) {
        let previous = state.appVersion
        guard previous != configuration.app.version else { return }
        state.appVersion = configuration.app.version
        isDirty = true
        guard configuration.tracksLifecycle else { return }
        if let previous {
            post(.behavior(.versionChange(from: previous), of: configuration.app), at: moment)
        } else {
            post(.behavior(.firstLaunch, of: configuration.app), at: moment)
            isFirstLaunch = true
        }
    }

    /// The first launch has its own event instead of the usual one.
    private var isFirstLaunch = false

    mutating func becameActive(at moment: Moment) {
        _ = header(at: moment)
        guard session.becameActive() else { return }
        defer { isFirstLaunch = false }
        if state.session != nil {
            // If this process ends in the foreground, the next one starts a new session: what was seen is not kept then.
            state.session = nil
            isDirty = true
        }
        if configuration.tracksLifecycle, !isFirstLaunch { post(.behavior(.launch, of: configuration.app), at: moment) }
    }

    mutating func enteredBackground(at moment: Moment) {
        _ = header(at: moment)
        // A repeated notice, such as one of each scene, does not prolong the session.
        guard session.enteredBackground(at: moment.clock) else { return }
        if configuration.tracksLifecycle { post(.behavior(.background, of: configuration.app), at: moment) }
        state.session = StoredSession(
            id: session.id, backgroundMilliseconds: moment.stamp.time.milliseconds,
            impressions: session.impressions.contents.sorted())
        isDirty = true
    }

    private mutating func post(_ event: AppEvent, at moment: Moment) {
        let header = header(at: moment)
        state.outbox += event.outgoing(header, purpose: configuration.purposes.events, makeStamp: moment.makeStamp)
        isDirty = true
    }

    /// Adds events to the outbox, unless they wait there already.
    mutating func postOnce(_ events: [OutgoingEvent]) {
        state.outbox += events.filter { event in !state.outbox.contains { $0.id == event.id } }
        isDirty = true
    }

    // Identity.

    /// - Returns: Whether another person was logged in before.
    /// - Throws: What is wrong with the person. Nothing has changed then.
    mutating func logIn(_ person: KnownPerson, at moment: Moment) throws(PersonalizationError) -> Bool {
        let profile = try person.profile()
        let isOther = state.profile.isKnown && !state.profile.isSamePerson(profile, person.parties)
        try (isOther ? ProfileState() : state.profile).checkMerged(profile)
        if isOther { forgetPerson(at: moment) }
        let wasKnown = state.profile.isKnown
        guard state.profile.set(profile, person.parties, isKnown: true) else { return isOther }
        if !wasKnown { state.generation += 1 }
        postProfile(at: moment)
        return isOther
    }

    /// Sets attributes of whoever uses the app; nil removes one.
    mutating func setAttributes(
        _ changes: [String: String?], at moment: Moment
    ) throws(PersonalizationError) {
        try ProfileState.check(changes.mapValues { $0 ?? "" }, besides: ["userId", "email"])
        try state.profile.checkMerged(changes)
        if state.profile.set(changes) { postProfile(at: moment) }
    }

    mutating func logOut(at moment: Moment) {
        let wasKnown = forgetPerson(at: moment)
        if wasKnown { postProfile(at: moment) }
    }

    @discardableResult
    private mutating func forgetPerson(at moment: Moment) -> Bool {
        session.restart(at: moment.clock, moment.makeID())
        state.session = nil
        if configuration.deviceIDAfterLogOut == .new { state.deviceID = moment.makeID() }
        state.generation += 1
        isDirty = true
        return state.profile.logOut(
            isSameDevice: configuration.deviceIDAfterLogOut == .same, isQueuing: isQueuingProfile)
    }

    /// Identity events keep their place among the others, and go first when something is sent. The queue takes the events of
    /// one call all or none.
    private mutating func postProfile(at moment: Moment) {
        var header = header(at: moment)
        let group = header.stamp.id.description
        for event in state.profile.takeEvents() {
            var events = event.outgoing(
                header, purpose: configuration.purposes.identity, priority: .high, holdsOrder: true,
                makeStamp: moment.makeStamp)
            for index in events.indices { events[index].group = group }
            state.outbox += events
            header.stamp.id = moment.makeStamp().id
        }
        identityEvents += 1
        awaitedIdentity = identityEvents
        isDirty = true
    }

    // Consent.

    /// The record of an answer; nil where none is sent.
    mutating func record(
        of answer: ConsentState, for purpose: ConsentPurpose, at moment: Moment
    ) -> OutgoingEvent? {
        ConsentRecord.event(
            answer, purpose: purpose, provider: configuration.consentProvider, header: header(at: moment))
    }

    /// Called before an opt-out is stored: nothing of this purpose is reported, and what was is withdrawn.
    mutating func willOptOut(of purpose: ConsentPurpose) -> [OutgoingEvent] {
        let withdrawn = state.outbox.filter { $0.purpose == purpose.rawValue }
        state.outbox.removeAll { $0.purpose == purpose.rawValue }
        if purpose == configuration.purposes.identity { state.profile.withdraw() }
        isDirty = true
        return withdrawn
    }

    /// The person may be reported now, also what was withdrawn or refused before.
    mutating func mayReportIdentity(at moment: Moment) {
        if !state.profile.isReported { postProfile(at: moment) }
    }

    mutating func refusedIdentity() {
        state.profile.withdraw()
        isDirty = true
    }

    /// The answer about reporting the person changes: what was sent before says nothing about what is awaited.
    mutating func answersIdentity() {
        guard awaitedIdentity != nil else { return }
        identityEvents += 1
        awaitedIdentity = identityEvents
    }

    /// What the service knows of the person.
    ///
    /// - Parameters:
    ///   - mayReport: Whether the person may be reported. A reply for a person who is never reported may be kept.
    ///   - obstacle: Why the person could not be reported, if that was tried.
    func standing(mayReport: Bool, _ obstacle: PersonalizationError? = nil) -> DecisionQuery.Standing {
        if state.profile.mayBeTakenForFormer {
            return .isFormerPerson(obstacle.map { .formerPerson(because: $0) } ?? .formerPerson)
        }
        return awaitedIdentity != nil && mayReport ? .isNotReported : .isReported
    }

    /// What was sent up to this identity event has arrived.
    mutating func reportedIdentity(_ number: Int) {
        guard awaitedIdentity == number, !isQueuingProfile, state.profile.isReported else { return }
        awaitedIdentity = nil
        let before = state.profile
        state.profile.delivered()
        if state.profile != before { isDirty = true }
    }

    // The outbox.

    /// What the queue takes next: one event, or several that belong together.
    var firstOfOutbox: ArraySlice<OutgoingEvent> {
        guard let group = state.outbox.first?.group else { return state.outbox.prefix(1) }
        return state.outbox.prefix { $0.group == group }
    }

    /// Whether events about the person wait for the queue.
    private var isQueuingProfile: Bool { state.outbox.contains { $0.isProfile } }

    /// The first events of the outbox are in the queue.
    mutating func queuedFirstOfOutbox() {
        if firstOfOutbox.first?.isProfile == true { state.profile.queued() }
        removeFirstOfOutbox()
    }

    /// The first events of the outbox are in the queue, or will never be.
    mutating func removeFirstOfOutbox() {
        guard !state.outbox.isEmpty else { return }
        state.outbox.removeFirst(firstOfOutbox.count)
        isDirty = true
    }

    /// Takes what is too much for the outbox, the oldest first, and nothing of what belongs together in part.
    mutating func takeExcess() -> [OutgoingEvent] {
        var excess: [OutgoingEvent] = []
        var bytes = state.outbox.reduce(0) { $0 + $1.body.utf8.count }
        while state.outbox.count > PersonalizationCore.maximumOutbox || bytes > PersonalizationCore.maximumOutboxBytes {
            bytes -= firstOfOutbox.reduce(0) { $0 + $1.body.utf8.count }
            excess += firstOfOutbox
            removeFirstOfOutbox()
        }
        return excess
    }
}
