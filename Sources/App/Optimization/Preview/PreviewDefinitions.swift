/// The audiences and experiences of a space, whose names the panel shows.
public struct PreviewDefinitions: Hashable, Sendable {
    public var audiences: [AudienceEntry]
    public var experiences: [ExperienceEntry]

    public init(audiences: [AudienceEntry] = [], experiences: [ExperienceEntry] = []) {
        self.audiences = audiences
        self.experiences = experiences
    }

    /// Reads entries of the content types `nt_audience` and `nt_experience`; others are left out.
    ///
    /// - Parameter entries: With their links replaced, so that experiences have their audiences.
    public init(entries: [ContentEntry]) {
        self.init()
        for entry in entries {
            if let audience = try? AudienceEntry.read(entry.json), entry.contentType == AudienceEntry.contentType {
                audiences.append(audience)
            } else if let experience = try? ExperienceEntry.read(entry.json) {
                experiences.append(experience)
            }
        }
    }
}
