public import PushDispatch

/// An entry of the content type `nt_experience`: what is shown to whom.
public struct ExperienceEntry: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case experiment = "nt_experiment"
        case personalization = "nt_personalization"
    }

    /// The id of the entry, not of the experience.
    public var entryID: String
    /// `nt_experience_id`, which selections name.
    public var experienceID: String
    public var name: String
    public var details: String?
    /// Nil if it is missing or unknown.
    public var kind: Kind?
    public var configuration: ExperienceConfiguration
    /// Nil for all visitors, and if the link is unresolved.
    public var audience: AudienceEntry?
    /// The complete entries among `nt_variants`.
    public var variants: [ContentEntry]
    /// What could not be read.
    public var issues: [ReadingIssue]

    public static let contentType = "nt_experience"

    /// - Throws: What keeps this from being an experience.
    public static func read(_ value: JSONValue) throws(EntryProblem) -> ExperienceEntry {
        let fields = try ExperienceFields(value)
        var reader = ObjectReader(fields.fields, at: "fields")
        let kindText = reader.text("nt_type")
        let kind = kindText.flatMap { Kind(rawValue: $0) }
        if let kindText, kind == nil { reader.note("nt_type", "is \(kindText.inMessage), which is unknown") }
        var experience = ExperienceEntry(
            entryID: fields.entryID, experienceID: fields.experienceID, name: reader.text("nt_name") ?? "",
            details: reader.text("nt_description"), kind: kind,
            configuration: ExperienceConfiguration.read(reader.object("nt_config"), &reader.issues), audience: nil,
            variants: [], issues: [])
        if let audience = fields.fields["nt_audience"], audience != .null {
            do throws(EntryProblem) {
                experience.audience = try AudienceEntry.read(audience)
            } catch {
                reader.note("nt_audience", "\(error)")
            }
        }
        for (index, element) in reader.list("nt_variants").enumerated() {
            let entry = ContentEntry(element.object ?? [:])
            if let problem = element.object == nil ? .notAnObject : entry.problem {
                reader.note("nt_variants[\(index)]", "\(problem)")
            } else {
                experience.variants.append(entry)
            }
        }
        experience.issues = reader.issues.all
        return experience
    }

    /// The complete experiences of an entry, in its order, and the places of the others with their problems.
    public static func all(of entry: ContentEntry) -> (experiences: [ExperienceEntry], issues: [ReadingIssue]) {
        var issues = IssueList()
        var experiences: [ExperienceEntry] = []
        for (index, element) in (entry["nt_experiences"]?.array ?? []).enumerated() {
            do throws(EntryProblem) {
                let experience = try read(element)
                experiences.append(experience)
                issues.add(experience.issues, under: "fields.nt_experiences[\(index)]")
            } catch {
                issues.add("fields.nt_experiences[\(index)]", "\(error)")
            }
        }
        return (experiences, issues.all)
    }
}

/// The parts of an experience that choosing needs, without reading the rest.
struct ExperienceFields {
    let entryID: String
    let experienceID: String
    let fields: [String: JSONValue]

    /// - Throws: What keeps this from being a complete experience.
    init(_ value: JSONValue) throws(EntryProblem) {
        guard case .object(let members) = value else { throw .notAnObject }
        let entry = ContentEntry(members)
        if let problem = entry.problem { throw problem }
        guard let id = entry.id, case .object(let fields)? = members["fields"] else { throw .noFields }
        if let type = entry.contentType, type != ExperienceEntry.contentType { throw .otherContentType }
        guard let experienceID = ExperienceFields.experienceID(of: value) else { throw .noExperienceID }
        entryID = id
        self.experienceID = experienceID
        self.fields = fields
    }

    /// The id alone, which is faster than checking the whole entry.
    static func experienceID(of value: JSONValue) -> String? {
        guard case .object(let members) = value, case .object(let fields)? = members["fields"],
            case .string(let id)? = fields["nt_experience_id"], !id.isEmpty
        else { return nil }
        return id
    }
}
