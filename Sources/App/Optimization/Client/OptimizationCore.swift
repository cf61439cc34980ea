package import EventDelivery
import PushDispatch

extension DestinationName {
    /// The queue of the profile service.
    package static let optimizationProfile: DestinationName = "optimization-profile"
    package static let optimizationAnalytics: DestinationName = "optimization-analytics"
}

/// What the client knows and decides. It does no I/O; times and ids are passed in.
struct OptimizationCore: Sendable {
    /// What belongs to this purpose is deleted when the person withdraws their consent.
    static let purpose: ConsentPurpose = "optimization"
    static let profileQueue = DestinationName.optimizationProfile
    static let analyticsQueue = DestinationName.optimizationAnalytics

    let configuration: OptimizationConfiguration
    private(set) var consent: Bool?
    /// Of the later generation: whether anything but the answers may be stored.
    private(set) var storageConsent: Bool?
    private(set) var profile: OptimizationProfile?
    /// The service's last selections; nil before its first reply.
    private(set) var selections: [ExperienceSelection]?
    private(set) var changes: [OptimizationChange]?
    private(set) var anonymousID: String?
    private(set) var people = FormerPeople()
    var overrides = PreviewOverrides()
    var definitions = PreviewDefinitions()
    var isPanelOpen = false
    var isLive = false
    var campaign: [String: String] = [:]
    /// Values that differ from what is stored.
    private var unsaved: [String: String?] = [:]

    init(_ configuration: OptimizationConfiguration) { self.configuration = configuration }

    // Observable state.

    /// With the overrides of the preview panel.
    var shownSelections: [ExperienceSelection]? { overrides.applied(to: selections) }

    var state: OptimizationState {
        OptimizationState(
            profile: profile, consent: consent, canPersonalize: shownSelections != nil, changes: changes)
    }

    var preview: PreviewState {
        PreviewState(overrides, definitions: definitions, selections: selections, qualified: profile?.audiences ?? [])
    }

    var lockConditions: SelectionLock.Conditions { .init(isPanelOpen: isPanelOpen, isLive: isLive) }

    /// The ids of the experiences of an audience.
    func experiences(of audienceID: String) -> [String] {
        definitions.experiences.filter { $0.audience?.audienceID == audienceID }.map(\.experienceID)
    }

    // Loading.

    /// Takes over stored values, and start values where nothing is stored. In the later generation start values win.
    ///
    /// The first generation's code let start values win, and turned consent on by itself; its text says neither
    /// (docs/reference/personalization.md 8).
    mutating func load(_ stored: [String: String]) -> [ReadingIssue] {
        var issues = IssueList()
        switch stored[OptimizationStorageKey.consent] {
        case "accepted"?: consent = true
        case "denied"?: consent = false
        case nil: break
        default: issues.add(OptimizationStorageKey.consent, "is neither accepted nor denied, and counts as no answer")
        }
        storageConsent = stored[OptimizationStorageKey.storageConsent].map { $0 == "accepted" }
        anonymousID = stored[OptimizationStorageKey.anonymousID].flatMap { $0.isEmpty ? nil : $0 }
        if let value = OptimizationCore.json(stored, OptimizationStorageKey.profile, &issues) {
            profile = OptimizationProfile(value)
            if profile == nil { issues.add(OptimizationStorageKey.profile, "has no id, and is left out") }
        }
        if let value = OptimizationCore.json(stored, OptimizationStorageKey.personalizations, &issues) {
            selections = ExperienceSelection.list(value, at: OptimizationStorageKey.personalizations, &issues)
        }
        if let value = OptimizationCore.json(stored, OptimizationStorageKey.changes, &issues) {
            changes = OptimizationChange.list(value, at: OptimizationStorageKey.changes, &issues)
        }
        if let value = OptimizationCore.json(stored, OptimizationStorageKey.people, &issues) {
            people = FormerPeople(value)
        }
        if let defaults = configuration.defaults { merge(defaults) }
        return issues.all
    }

    private mutating func merge(_ defaults: StartValues) {
        let wins = configuration.generation == .later
        func merged<Value>(_ stored: Value?, _ start: Value?) -> Value? { wins ? start ?? stored : stored ?? start }
        if let value = merged(consent, defaults.consent), value != consent { setConsent(events: value, storage: nil) }
        profile = merged(profile, defaults.profile)
        changes = merged(changes, defaults.changes)
        selections = merged(selections, defaults.personalizations)
        keepPerson()
    }

    private static func json(_ stored: [String: String], _ key: String, _ issues: inout IssueList) -> JSONValue? {
        guard let text = stored[key] else { return nil }
        let limits = JSONLimits(maximumBytes: ProfileReply.maximumBytes, maximumDepth: 32, maximumValues: 1 << 20)
        do throws(JSONReadError) {
            return try JSONReader.read(Array(text.utf8), limits: limits)
        } catch {
            issues.add(key, "cannot be read from the storage (\(error)), and is left out")
            return nil
        }
    }

    // Storing.

    /// What has to be stored now; nil if nothing has.
    mutating func takeUnsaved() -> [String: String?]? {
        guard !unsaved.isEmpty else { return nil }
        defer { unsaved = [:] }
        return unsaved
    }

    /// These could not be stored: they are with the next change.
    mutating func putBack(_ values: [String: String?]) { unsaved.merge(values) { new, _ in new } }

    private var mayStore: Bool { configuration.generation == .first || storageConsent == true }

    private mutating func keep(_ key: String, _ value: String?) { unsaved.updateValue(value, forKey: key) }

    private mutating func keepPerson() {
        func text(_ json: JSONValue?) -> String? {
            mayStore ? json.map { String(decoding: $0.compactBytes, as: UTF8.self) } : nil
        }
        keep(OptimizationStorageKey.profile, text(profile?.json))
        keep(OptimizationStorageKey.changes, text(changes.map { .array($0.map(\.json)) }))
        keep(OptimizationStorageKey.personalizations, text(selections.map { .array($0.map(\.json)) }))
        keep(OptimizationStorageKey.anonymousID, mayStore ? anonymousID : nil)
        keep(OptimizationStorageKey.people, people.isEmpty ? nil : text(people.json))
    }

    // Consent.

    /// - Parameter storage: Nil to leave it. The first generation has one answer for both.
    mutating func setConsent(events: Bool, storage: Bool?) {
        consent = events
        keep(OptimizationStorageKey.consent, events ? "accepted" : "denied")
        guard configuration.generation == .later, let storage else { return }
        storageConsent = storage
        keep(OptimizationStorageKey.storageConsent, storage ? "accepted" : "denied")
        keepPerson()
    }

    /// Whether an event of this type may be sent without the person's consent.
    func isAlwaysAllowed(_ type: String) -> Bool {
        let allowed = configuration.generation == .first ? ["identify", "screen"] : configuration.allowedBeforeConsent
        return allowed.contains(type)
    }

    func admits(_ type: String) -> Bool { consent == true || isAlwaysAllowed(type) }

    var queueConsent: ConsentState {
        switch consent {
        case true?: .optedIn
        case false?: .optedOut
        case nil: .pending
        }
    }

    // Events.

    /// The whole event as JSON.
    func json(_ event: OptimizationEvent, _ stamp: EventStamp) -> JSONValue {
        EventContext(
            app: configuration.app, campaign: campaign, isConsentGiven: consent == true, locale: configuration.locale,
            userAgent: configuration.userAgent
        ).json(event, stamp)
    }

    func profileEvent(_ event: OptimizationEvent, _ json: JSONValue, _ stamp: EventStamp) -> CapturedEvent {
        // The order within the queue is that of the calls, so a log-in comes before what follows it.
        captured(event, json, stamp, to: OptimizationCore.profileQueue, group: people.current)
    }

    /// Nil without a profile, to which it could belong.
    func analyticsEvent(_ event: OptimizationEvent, _ json: JSONValue, _ stamp: EventStamp) -> CapturedEvent? {
        profile.map { captured(event, json, stamp, to: OptimizationCore.analyticsQueue, group: $0.id) }
    }

    private func captured(
        _ event: OptimizationEvent, _ json: JSONValue, _ stamp: EventStamp, to queue: DestinationName, group: String
    ) -> CapturedEvent {
        CapturedEvent(
            stamp, kind: event.type, to: queue,
            purpose: isAlwaysAllowed(event.type) ? nil : OptimizationCore.purpose, group: group, body: json.compactBytes
        )
    }

    // The profile service.

    /// The profile that events of a group belong to; nil to create one.
    func profileID(of group: String?) -> String? {
        guard let group, group != people.current else { return anonymousID ?? profile?.id }
        return people.profileID(of: group)
    }

    /// The service has answered.
    ///
    /// - Returns: Whether the reply is about the person now. A reply that comes after a reset changes nothing here.
    mutating func answered(_ reply: ProfileReply, group: String?) -> Bool {
        if let group, group != people.current {
            people.learned(reply.profile.id, of: group)
            keepPerson()
            return false
        }
        profile = reply.profile
        anonymousID = anonymousID ?? reply.profile.id
        selections = reply.selections
        changes = reply.changes
        keepPerson()
        return true
    }

    /// Forgets the person. Their answer stays, and what they did before is still sent to their profile.
    mutating func reset() {
        people.next(profileID: anonymousID ?? profile?.id)
        (profile, selections, changes, anonymousID) = (nil, nil, nil, nil)
        keepPerson()
    }
}
