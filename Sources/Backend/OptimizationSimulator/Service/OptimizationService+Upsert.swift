import APNSModel
import PushDispatch
import ServiceHost

extension OptimizationService {
    /// Applies the events of a request in their order, and allocates.
    ///
    /// An `identify` with the user id of another profile merges the anonymous one into it. Two user ids are never one
    /// person: where the profile of the request has another user id, the reply is about the profile of the new one.
    package mutating func upsert(_ request: Upsert, at now: Int64) -> Reply {
        let result = planned(request, at: now)
        if !request.isPreflight { commit(result, request.events, now) }
        return result.reply
    }

    /// The plan is gone when this returns, so that the tables have one owner when they are changed.
    private func planned(_ request: Upsert, at now: Int64) -> ProfilePlan.Result {
        var plan = ProfilePlan(self, at: now)
        plan.begin(request.id)
        plan.locate(request)
        for event in request.events where !events.knows(event, .profile) && plan.isNew(event) {
            plan.apply(event, request.features)
        }
        return plan.finish()
    }

    private mutating func commit(_ plan: ProfilePlan.Result, _ batch: [ProfileEvent], _ now: Int64) {
        generator = plan.generator
        for id in plan.gone {
            guard let gone = profiles.remove(id) else { continue }
            counts.move(gone.selections, to: [:])
        }
        for (id, profile) in plan.changed.sorted(by: { $0.key < $1.key }) {
            let old = profiles[id]?.selections ?? [:]
            if profiles.put(profile) { counts.move(old, to: profile.selections) }
        }
        for event in batch where events.append(event, .profile, of: plan.owner(of: event), at: now) {
            counts.count(event)
        }
    }
}

/// What a request does to profiles, before it is done, so that a preflight needs no second way.
struct ProfilePlan {
    private let service: OptimizationService
    private let now: Int64
    /// The profile that the request is about at the moment.
    private var current = ""
    private var changed: [String: VisitorProfile] = [:]
    /// Profiles that were merged into others.
    private var gone: Set<String> = []
    private var users: [String: String] = [:]
    private var leadsTo: [String: String] = [:]
    private var messages: Set<String> = []
    private var owners: [String: String] = [:]
    private var generator: SeededGenerator

    init(_ service: OptimizationService, at now: Int64) {
        self.service = service
        self.now = now
        generator = service.generator
    }

    struct Result {
        let reply: OptimizationService.Reply
        let changed: [String: VisitorProfile]
        let gone: Set<String>
        let generator: SeededGenerator
        fileprivate let current: String
        fileprivate let owners: [String: String]

        /// Whose event it was when it came.
        func owner(of event: ProfileEvent) -> String { event.messageID.flatMap { owners[$0] } ?? current }
    }

    /// False for the second event with a message id in one request.
    mutating func isNew(_ event: ProfileEvent) -> Bool {
        event.messageID.map { messages.insert($0).inserted } ?? true
    }

    private func find(_ id: String) -> VisitorProfile? {
        changed[id] ?? (gone.contains(id) ? nil : service.profiles[id])
    }

    mutating func begin(_ id: String?) {
        let id = id.map { leadsTo[service.profiles.resolve($0)] ?? service.profiles.resolve($0) }
        current = id ?? UUIDText.make(using: &generator)
        changed[current] = find(current) ?? make(current)
    }

    private mutating func make(_ id: String) -> VisitorProfile {
        // 53 bits, as a double has.
        let random = Double(generator.next() >> 11) * 0x1p-53
        return VisitorProfile(id, random: random, sessionID: UUIDText.make(using: &generator), at: now)
    }

    mutating func locate(_ request: OptimizationService.Upsert) {
        guard request.features.contains(.enrichment),
            let location = request.address.flatMap({ service.configuration.locations[$0] })
        else { return }
        changed[current]?.location = location
    }

    mutating func apply(_ event: ProfileEvent, _ features: Set<OptimizationService.Feature>) {
        if event.kind == .identify || event.kind == .alias, let userID = event.userID { identify(userID) }
        var drawing = generator
        changed[current]?.session.touch(at: now, page: event.place) { UUIDText.make(using: &drawing) }
        generator = drawing
        changed[current]?.seen = now
        changed[current]?.count(event.kind.rawValue)
        if event.kind == .track, let name = event.name { changed[current]?.count(name) }
        if event.kind == .identify { changed[current]?.set(event.traits) }
        if features.contains(.location), let location = event.location {
            changed[current]?.location = location.filter { ProfileEvent.locationKeys.contains($0.key) }
        }
        if let id = event.messageID { owners[id] = current }
    }

    private mutating func identify(_ userID: String) {
        let known = (users[userID] ?? service.profiles.profile(ofUser: userID)).flatMap { find($0) }
        guard let me = changed[current], me.userID != userID else { return }
        if let known {
            guard known.id != current else { return }
            var target = known
            if me.userID == nil {
                target.merge(me)
                changed[current] = nil
                gone.insert(current)
                leadsTo[current] = target.id
            }
            current = target.id
            changed[current] = target
        } else if me.userID == nil {
            changed[current]?.userID = userID
        } else {
            current = UUIDText.make(using: &generator)
            var other = make(current)
            other.userID = userID
            changed[current] = other
        }
        users[userID] = current
    }

    /// Allocates, and notes what was given.
    mutating func finish() -> Result {
        var profile = changed[current] ?? make(current)
        let configuration = service.configuration
        profile.audiences = configuration.audiences.filter { $0.holds(profile) }.map(\.id)
        var reply = ProfilePlan.reply(for: profile, configuration)
        profile.selections = Dictionary(
            reply.selections.map { ($0.experienceID, $0.variantIndex) }, uniquingKeysWith: { first, _ in first })
        for selection in reply.selections where selection.isSticky {
            profile.sticky[selection.experienceID] = selection.variantIndex
        }
        changed[current] = profile
        reply.profile = profile
        return Result(
            reply: reply, changed: changed, gone: gone, generator: generator, current: current, owners: owners)
    }

    static func reply(
        for profile: VisitorProfile, _ configuration: OptimizationConfiguration
    ) -> OptimizationService.Reply {
        var reply = OptimizationService.Reply(profile: profile)
        let audiences = Set(profile.audiences)
        var keys: Set<String> = []
        for experience in configuration.experiences {
            guard let index = index(of: experience, profile, audiences) else { continue }
            reply.selections.append(
                OptimizationService.Selection(
                    experienceID: experience.id, variantIndex: index, variants: experience.variants(at: index),
                    isSticky: experience.isSticky))
            for (key, value) in experience.variables(at: index) where keys.insert(key).inserted {
                reply.changes.append(
                    OptimizationService.Change(
                        key: key, value: value, experienceID: experience.id, variantIndex: index))
            }
        }
        return reply
    }

    /// Nil for a profile that is not in.
    private static func index(of experience: Experience, _ profile: VisitorProfile, _ audiences: Set<String>) -> Int? {
        if experience.isSticky, let index = profile.sticky[experience.id] { return index }
        let meetsAudience =
            switch experience.audience {
            case .none: true
            case .id(let id): audiences.contains(id)
            case .unresolved: false
            }
        let allocation = Allocation(experience: experience.id, stableID: profile.stableID)
        guard meetsAudience, allocation.isIn(traffic: experience.traffic) else { return nil }
        return allocation.variantIndex(shares: experience.distribution)
    }
}
