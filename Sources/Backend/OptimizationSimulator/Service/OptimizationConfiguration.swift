import APNSModel
package import PushDispatch
package import ServiceHost

/// What the service is set up with: keys of its paths, entries, audiences and limits.
package struct OptimizationConfiguration: Hashable, Sendable {
    package var clientID: String
    package var environment = "master"
    package var space: String
    /// What `Authorization: Bearer` carries for entries.
    package var accessToken: String
    package var content = ContentStore()
    /// Of the entries, in their order.
    package private(set) var experiences: [Experience] = []
    /// Experiences that are not taken, each with the id of its entry and the reason.
    package private(set) var refusedExperiences: [RefusedExperience] = []
    package var audiences: [AudienceRule] = []
    /// The location of an address that a request names with `X-Force-IP`.
    package var locations: [String: [String: JSONValue]] = [:]
    /// Whether an event without one of the common fields is refused.
    package var isStrict = false
    package var limits = OptimizationLimits()
    package var faults: [PathFault<OptimizationPath>] = []
    /// For ids, random numbers of profiles and the probability of faults.
    package var seed: UInt64

    /// - Parameter seed: Client id, space and access token follow from it unless they are set.
    package init(seed: UInt64 = 1) {
        self.seed = seed
        var generator = SeededGenerator(seed: SeededGenerator.mix(seed &+ 0x0b7))
        clientID = UUIDText.make(using: &generator)
        space = "space-" + UUIDText.make(using: &generator).prefix(8)
        accessToken = "access-" + UUIDText.make(using: &generator)
    }

    /// Sets the entries, and finds the experiences among them.
    package mutating func setContent(_ content: ContentStore) {
        self.content = content
        experiences = []
        refusedExperiences = []
        var ids: Set<String> = []
        for entry in content.entries where entry.contentType == "nt_experience" {
            let found: Experience?
            do throws(ExperienceError) {
                found = try Experience(fields: entry.values(content.locales)) { id in
                    content.entry(id)?.values(content.locales)
                }
            } catch {
                refuse(entry.id, error.description, isTooLarge: true)
                continue
            }
            guard let experience = found else {
                refuse(entry.id, "nt_experience_id or nt_config is missing")
                continue
            }
            guard ids.insert(experience.id).inserted else {
                refuse(entry.id, "another experience has the id \(ShownText.quoted(experience.id))")
                continue
            }
            guard experiences.count < OptimizationLimits.experiences else {
                refuse(entry.id, "there are more than \(OptimizationLimits.experiences) experiences")
                continue
            }
            experiences.append(experience)
        }
    }

    private mutating func refuse(_ entry: String, _ why: String, isTooLarge: Bool = false) {
        refusedExperiences.append(RefusedExperience(entry: entry, why: why, isTooLarge: isTooLarge))
    }
}

/// An experience that is not taken.
package struct RefusedExperience: Hashable, Sendable {
    /// The id of its entry.
    package let entry: String
    package let why: String
    /// Whether it is beyond what the service takes, and not only incomplete.
    package let isTooLarge: Bool
}

/// What fault rules tell apart.
package enum OptimizationPath: String, FaultPath { case profiles, events, analytics, entries }
