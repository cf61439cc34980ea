public import PushDispatch

/// An entry of the content type `nt_audience`.
public struct AudienceEntry: Hashable, Sendable {
    public var entryID: String
    /// `nt_audience_id`, which profiles name.
    public var audienceID: String
    public var name: String
    public var details: String?

    public static let contentType = "nt_audience"

    /// - Throws: What keeps this from being an audience. Without `nt_audience_id` it is `noFields`.
    public static func read(_ value: JSONValue) throws(EntryProblem) -> AudienceEntry {
        guard let members = value.object else { throw .notAnObject }
        let entry = ContentEntry(members)
        if let problem = entry.problem { throw problem }
        if let type = entry.contentType, type != contentType { throw .otherContentType }
        guard let id = entry.id, let audienceID = entry["nt_audience_id"]?.string, !audienceID.isEmpty else {
            throw .noFields
        }
        return AudienceEntry(
            entryID: id, audienceID: audienceID, name: entry["nt_name"]?.string ?? "",
            details: entry["nt_description"]?.string)
    }
}

/// An entry of the content type `nt_mergetag`: a text from the profile.
public struct MergeTagEntry: Hashable, Sendable {
    public var entryID: String
    /// `nt_mergetag_id`: a path into the profile with `_` between its parts.
    public var mergeTagID: String
    public var name: String
    /// What is shown without a value.
    public var fallback: String?

    public static let contentType = "nt_mergetag"

    /// - Throws: What keeps this from being a merge tag. Without `nt_mergetag_id` it is `noFields`.
    public static func read(_ value: JSONValue) throws(EntryProblem) -> MergeTagEntry {
        guard let members = value.object else { throw .notAnObject }
        let entry = ContentEntry(members)
        if let problem = entry.problem { throw problem }
        if let type = entry.contentType, type != contentType { throw .otherContentType }
        guard let id = entry.id, let tagID = entry["nt_mergetag_id"]?.string, !tagID.isEmpty else { throw .noFields }
        return MergeTagEntry(
            entryID: id, mergeTagID: tagID, name: entry["nt_name"]?.string ?? "",
            fallback: entry["nt_fallback"]?.string)
    }
}
