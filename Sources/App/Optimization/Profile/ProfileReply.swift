public import PushDispatch

/// The profile service's reply to an upsert (docs/reference/personalization.md 10).
///
/// What cannot be used is left out and named in ``issues``; the rest counts.
public struct ProfileReply: Hashable, Sendable {
    public var profile: OptimizationProfile
    public var selections: [ExperienceSelection]
    public var changes: [OptimizationChange]
    public var issues: [ReadingIssue]

    public static let maximumBytes = 4 << 20
    static let maximumDepth = 32

    /// - Throws: `invalidValue` if it is not JSON, too large, or without a profile.
    public static func read(_ bytes: [UInt8], maximumBytes: Int = maximumBytes) throws(OptimizationError)
        -> ProfileReply
    {
        try read(ReplyText.json(bytes, of: "the profile service", maximumBytes: maximumBytes, depth: maximumDepth))
    }

    public static func read(_ value: JSONValue) throws(OptimizationError) -> ProfileReply {
        guard let data = value.object?["data"]?.object else {
            throw OptimizationError(
                .invalidValue, "the reply of the profile service has no object data; check the base URL")
        }
        guard let profile = data["profile"].flatMap(OptimizationProfile.init) else {
            throw OptimizationError(.invalidValue, "the reply of the profile service has no profile with an id")
        }
        var issues = IssueList()
        let selections = ExperienceSelection.list(data["experiences"] ?? [], at: "data.experiences", &issues)
        let changes = OptimizationChange.list(data["changes"] ?? [], at: "data.changes", &issues)
        return ProfileReply(profile: profile, selections: selections, changes: changes, issues: issues.all)
    }

    /// The code of an error, such as `ERR_PROFILE_NOT_FOUND`; nil if the body names none.
    public static func errorCode(_ bytes: [UInt8]) -> String? {
        let limits = JSONLimits(maximumBytes: 65_536, maximumDepth: 16, maximumValues: 4_096)
        guard let value = try? JSONReader.read(bytes, limits: limits),
            let code = value.object?["error"]?.object?["code"]?.string
        else { return nil }
        return code.inMessage
    }
}
